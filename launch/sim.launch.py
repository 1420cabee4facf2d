# Copyright 2026 the authors of ugp_explorer
# SPDX-License-Identifier: Apache-2.0

"""
Starts the five nodes on a simulated robot and field: explore.launch.py and fieldsim.

    ros2 launch ugp_explorer sim.launch.py samples:=10 speed:=10
    ros2 launch launch/sim.launch.py --show-args

The nodes read their files in params/, then params/sim.yaml, then params_file, then the arguments
that are given; for an empty argument the values in the files apply. The simulated probe sends the
type of readings that params_file sets for the explorer, unless it sets one for fieldsim. The
topics that explore.launch.py declares as arguments can be given here, too. When one of the nodes
ends, all are shut down. They do not end with the mission, so that its maps stay visible; Ctrl-C
ends them.
"""

import os
import sys

import yaml

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.actions import IncludeLaunchDescription
from launch.actions import OpaqueFunction
from launch.actions import Shutdown
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue

HERE = os.path.dirname(os.path.abspath(__file__))
# Launch files are no modules of a package, so Python has to be told where their helpers are.
sys.path.insert(0, HERE)
from ugp_support import enclave  # noqa: E402
from ugp_support import executable  # noqa: E402
from ugp_support import existing  # noqa: E402
from ugp_support import parameter_files  # noqa: E402
from ugp_support import refuse_unknown  # noqa: E402
from ugp_support import shared  # noqa: E402
from ugp_support import SWITCH  # noqa: E402
SIM = os.path.join(HERE, 'params', 'sim.yaml')
FARM = os.path.join(HERE, 'fields', 'farm.geojson')

ARGUMENTS = [
    *shared('namespace', 'params_file', 'samples', 'output_dir', 'auto_start', 'cmd_vel_stamped',
            'rviz', 'log_level', 'enclaves'),
    DeclareLaunchArgument(
        'use_sim_time', default_value='', choices=['', *SWITCH],
        description='the nodes use the time on /clock, as params/sim.yaml sets it; with false the '
                    'speed must be 1'),
    DeclareLaunchArgument(
        'field', default_value=FARM,
        description='GeoJSON file with the outline of the field and its keep-outs, in metres'),
    DeclareLaunchArgument(
        'start', default_value='',
        description='X,Y,YAW in metres and radians: pose of the robot at the start, also for the '
                    'filter; needed with a field of your own'),
    DeclareLaunchArgument(
        'seed', default_value='',
        description='seed of the field, the robot, its sensors and the search; the same seed gives '
                    'the same world'),
    DeclareLaunchArgument(
        'speed', default_value='',
        description='simulated seconds per second of the wall clock (clock.speed)'),
]

# Arguments that set a parameter of fieldsim when they are given.
OF_FIELDSIM = {'use_sim_time': 'use_sim_time', 'seed': 'seed', 'speed': 'clock.speed',
               'cmd_vel_stamped': 'cmd_vel_stamped'}


def pose(words):
    """Return X,Y,YAW as numbers."""
    try:
        x, y, yaw = (float(word) for word in words.split(','))
    except ValueError:
        raise RuntimeError(f'start:={words}: want three numbers, X,Y,YAW') from None
    return [x, y, yaw]


def settings(tree, path=''):
    """Return what a parameter file sets, as pairs of a path and a value."""
    if not isinstance(tree, dict):
        return [(path, tree)]
    return [pair for name, below in tree.items() for pair in settings(below, f'{path}/{name}')]


def of_explorer(files, parameter):
    """Return the value that the last of the files sets for the explorer; '' if none does."""
    value = ''
    for file in files:
        try:
            with open(file, encoding='utf-8') as text:
                found = settings(yaml.safe_load(text))
        except (yaml.YAMLError, UnicodeDecodeError) as err:
            raise RuntimeError(f'params_file:={file}: this is not YAML: {err}') from None
        for path, given in found:
            node, _, name = path.partition('/ros__parameters/')
            if (node.split('/')[-1] in ('ugp_explorer', '*', '**')
                    and name.replace('/', '.') == parameter):
                value = given
    return value


def nodes(context):
    """Return fieldsim and the nodes that explore.launch.py starts with the same arguments."""
    refuse_unknown(os.path.realpath(__file__), ARGUMENTS)
    args = context.launch_configurations
    files = parameter_files(args)
    field = existing(args['field'], 'field')
    if field != FARM and not args['start'] and not files:
        raise RuntimeError(f'field:={args["field"]}: give the pose of the robot at the start with '
                           'start:=X,Y,YAW')

    given = {parameter: LaunchConfiguration(argument)  # typed as YAML is
             for argument, parameter in OF_FIELDSIM.items() if args[argument]}
    given['field.boundary_file'] = ParameterValue(field, value_type=str)
    typ = of_explorer(files, 'reading.type')
    follows = [{'reading.type': ParameterValue(typ, value_type=str)}] if typ else []
    explore = {name: args[name] for name in (
        'namespace', 'use_sim_time', 'samples', 'seed', 'auto_start', 'output_dir', 'rviz',
        'cmd_vel_stamped', 'log_level', 'enclaves')}
    explore.update(
        params_file=','.join([SIM, *files]), field=field, follower='true', ekf='true',
        shutdown_on_exit='true')
    if args['start']:
        given['start'] = pose(args['start'])
        explore['initial_yaw'] = f'{given["start"][2]:f}'
    return [
        Node(
            executable=executable('fieldsim'), name='fieldsim', namespace=args['namespace'],
            parameters=[SIM, *follows, *files, given],
            ros_arguments=['--log-level', args['log_level'], *enclave(args, 'fieldsim')],
            output='screen', on_exit=[Shutdown(reason='fieldsim has ended')]),
        IncludeLaunchDescription(
            PythonLaunchDescriptionSource(os.path.join(HERE, 'explore.launch.py')),
            launch_arguments=explore.items()),
    ]


def generate_launch_description():
    return LaunchDescription([*ARGUMENTS, OpaqueFunction(function=nodes)])
