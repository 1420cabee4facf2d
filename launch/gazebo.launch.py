# Copyright 2026 the authors of ugp_explorer
# SPDX-License-Identifier: Apache-2.0

"""
Starts a mission on a robot in Gazebo: the simulator, its bridge, fieldsim and explore.launch.py.

    ros2 launch ugp_explorer gazebo.launch.py samples:=10
    ros2 launch ugp_explorer gazebo.launch.py samples:=10 nav2:=true
    ros2 launch ugp_explorer gazebo.launch.py gui:=true rviz:=true world:=field_flat
    ros2 launch launch/gazebo.launch.py --show-args

The nodes read their files in params/, then params/gazebo.yaml, then params_file, then the arguments
that are given; for an empty argument the values in the files apply. The topics that
explore.launch.py declares as arguments can be given here, too. With the end of Gazebo, of its
bridge, or of one of our nodes all is shut down; with end_when_done:=true the explorer ends with
the mission. Needs ros_gz_sim and ros_gz_bridge, with Gazebo Fortress from 6.18 on, or Harmonic.
"""

import os
import sys
from xml.etree import ElementTree

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.actions import GroupAction
from launch.actions import IncludeLaunchDescription
from launch.actions import OpaqueFunction
from launch.actions import SetLaunchConfiguration
from launch.actions import Shutdown
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue

HERE = os.path.dirname(os.path.abspath(__file__))
# Launch files are no modules of a package, so Python has to be told where their helpers are.
sys.path.insert(0, HERE)
from ugp_support import enclave  # noqa: E402
from ugp_support import executable  # noqa: E402
from ugp_support import existing  # noqa: E402
from ugp_support import installed  # noqa: E402
from ugp_support import parameter_files  # noqa: E402
from ugp_support import prefix_of  # noqa: E402
from ugp_support import refuse_unknown  # noqa: E402
from ugp_support import shared  # noqa: E402
from ugp_support import SWITCH  # noqa: E402
PARAMS = os.path.join(HERE, 'params')
GAZEBO = os.path.join(PARAMS, 'gazebo.yaml')
NAV2 = [os.path.join(PARAMS, 'gazebo_nav2.yaml'), os.path.join(PARAMS, 'nav2_costmap.yaml')]
WORLDS = os.path.join(HERE, 'worlds')
MODEL = os.path.join(HERE, 'models', 'sampler', 'model.sdf')
ANTENNA = ['--x', '0.25', '--y', '0.2', '--z', '1.5']  # m, on the robot, as in the model
CLEARANCE = 0.1  # m, of the robot above the ground when it is spawned

ARGUMENTS = [
    *shared('params_file', 'samples', 'output_dir', 'auto_start', 'rviz', 'log_level', 'enclaves'),
    DeclareLaunchArgument(
        'world', default_value='field',
        description='field (8 ha with gentle relief), field_flat, or the path of an SDF file with '
                    "spherical_coordinates, which are the map's datum; it needs field, too"),
    DeclareLaunchArgument(
        'x', default_value='4', description='easting of the robot at the start, m in the map'),
    DeclareLaunchArgument(
        'y', default_value='1', description='northing of the robot at the start, m in the map'),
    DeclareLaunchArgument(
        'z', default_value='',
        description='height of the robot at the start, m; when empty, a little above the ground '
                    'of our worlds, and 0.05 m in others'),
    DeclareLaunchArgument(
        'yaw', default_value='2.5',
        description='heading of the robot at the start, rad counter-clockwise from east'),
    DeclareLaunchArgument(
        'heading', default_value='given', choices=['given', 'drive'],
        description="how the filter gets the robot's first heading: given (yaw) or drive (it "
                    'computes the heading from driving)'),
    DeclareLaunchArgument(
        'seed', default_value='',
        description="seed of the true field, the probe's noise and the search"),
    DeclareLaunchArgument(
        'rtf', default_value='',
        description='simulated seconds per second of the wall clock; 0: as fast as possible; when '
                    "empty, the world's, which is 1"),
    DeclareLaunchArgument(
        'gui', default_value='false', choices=SWITCH,
        description="show the world in Gazebo's window"),
    DeclareLaunchArgument(
        'localization', default_value='ekf', choices=['ekf', 'robot_localization'],
        description="filter of the robot's pose: ekf (this package's) or robot_localization (two "
                    'filters and navsat_transform, params/robot_localization.yaml; needs that '
                    'package)'),
    DeclareLaunchArgument(
        'fixes', default_value='navsat', choices=['navsat', 'fieldsim'],
        description="source of the position fixes: navsat (Gazebo's sensor, equally good "
                    'everywhere) or fieldsim (with outages, and poor beside the wood)'),
    DeclareLaunchArgument(
        'nav2', default_value='false', choices=[*SWITCH, 'external'],
        description="drive with Nav2 instead of this package's path follower: true starts Nav2, "
                    'too, with params/gazebo_nav2.yaml and params/nav2_costmap.yaml (needs its '
                    'packages); external: you start Nav2'),
    DeclareLaunchArgument(
        'field', default_value='',
        description='GeoJSON file with the outline of the field and its keep-outs, in degrees; '
                    'when empty, that of our worlds'),
    DeclareLaunchArgument(
        'end_when_done', default_value='false', choices=SWITCH,
        description='end all when the mission is over and its report is written'),
]


def number(args, name):
    """Return an argument that is a number."""
    try:
        return float(args[name])
    except ValueError:
        raise RuntimeError(f'{name}:={args[name]}: want a number') from None


def ground(world, x, y):
    """Return the height of the ground at a place, from the mesh of our worlds, or else 0."""
    mesh = os.path.splitext(world)[0] + '.obj'
    if os.path.dirname(world) != WORLDS or not os.path.isfile(mesh):
        return 0.0
    with open(mesh, encoding='utf-8') as file:
        nodes = [[float(word) for word in line.split()[1:]]
                 for line in file if line.startswith('v ')]
    rows = round(len(nodes) ** 0.5)
    cell = nodes[1][0] - nodes[0][0]
    u, v = (x - nodes[0][0]) / cell, (y - nodes[0][1]) / cell
    if not (0 <= u < rows - 1 and 0 <= v < rows - 1):
        raise RuntimeError(f'x:={x:g} y:={y:g}: the ground of {world} does not reach so far')
    i, j = int(u), int(v)
    sw, se, nw, ne = (nodes[(j + b) * rows + i + a][2] for b in (0, 1) for a in (0, 1))
    u, v = u - i, v - j
    return sw + u * (se - sw) + v * (ne - se) if u > v else sw + v * (nw - sw) + u * (ne - nw)


def described(world):
    """Return the length of a world's steps, s, and its longitude and latitude."""
    try:
        root = ElementTree.parse(world).getroot().find('world')
    except ElementTree.ParseError as error:
        raise RuntimeError(f'world:={world}: {error}') from None
    if root is None:
        raise RuntimeError(f'world:={world}: there is no world in that file')
    datum = [root.findtext(f'spherical_coordinates/{angle}_deg') for angle in (
        'longitude', 'latitude')]
    if None in datum:
        raise RuntimeError(f'world:={world}: it has no spherical_coordinates with latitude_deg and '
                           'longitude_deg, which NavSat needs')
    return (float(root.findtext('physics/max_step_size', '0.001')),
            [float(angle) for angle in datum])


def simulator(args, world, step):
    """Return Gazebo with the world and the robot, and the bridge to it."""
    options = [] if args['gui'] == 'true' else ['-s']
    if args['rtf']:
        speed = number(args, 'rtf')
        if speed < 0:
            raise RuntimeError(f'rtf:={args["rtf"]}: want 0 or more')
        # Steps per second. As fast as possible is more than any computer makes.
        options.append(f'-z {speed / step if speed else 1e6:g}')
    x, y, yaw = (number(args, axis) for axis in ('x', 'y', 'yaw'))
    z = number(args, 'z') if args['z'] else ground(world, x, y) + CLEARANCE
    gz_sim = prefix_of('ros_gz_sim', 'gazebo.launch.py')
    installed('ros_gz_bridge', 'gazebo.launch.py')
    remappings = []
    if args['fixes'] == 'fieldsim':
        remappings.append(('fix', 'navsat/fix'))
    if args['localization'] == 'robot_localization':  # which publishes odom → base_link itself
        remappings.append(('/tf', 'wheels/tf'))
    # The bridge comes first and the robot last, so that no message of its sensors waits. Without
    # the name of the world, create waits for Gazebo, however long that takes to start. The prefix
    # makes Gazebo take the place of the shell that gz_sim.launch.py starts it in: such a shell
    # does not pass on the signal with which launch ends it, and Gazebo would go on running.
    return [
        Node(
            package='ros_gz_bridge', executable='parameter_bridge', name='gz_bridge',
            namespace='', remappings=remappings, output='screen',
            parameters=[{'config_file': os.path.join(PARAMS, 'gz_bridge.yaml')}],
            ros_arguments=['--log-level', args['log_level'], *enclave(args, 'gz_bridge')],
            # Gazebo's drive holds the last command, and no stop reaches it without the bridge.
            on_exit=[Shutdown(reason='the bridge to Gazebo has ended')]),
        GroupAction([
            SetLaunchConfiguration('launch-prefix', 'exec'),
            IncludeLaunchDescription(
                PythonLaunchDescriptionSource(os.path.join(
                    gz_sim, 'share', 'ros_gz_sim', 'launch', 'gz_sim.launch.py')),
                launch_arguments={'gz_args': ' '.join(['-r', *options, world]),
                                  'on_exit_shutdown': 'true'}.items()),
        ]),
        Node(
            package='ros_gz_sim', executable='create', name='spawn', namespace='',
            arguments=['-file', MODEL, '-name', 'sampler', '-x', f'{x}',
                       '-y', f'{y}', '-z', f'{z}', '-Y', f'{yaw}'],
            parameters=[], ros_arguments=enclave(args, 'spawn'), output='screen'),
    ]


def others_filter(args, files, datum):
    """Return robot_localization's filters, and the frame of the antenna that they need."""
    installed('robot_localization', 'localization:=robot_localization')
    x, y, yaw = (number(args, axis) for axis in ('x', 'y', 'yaw'))
    started = [Node(
        package='tf2_ros', executable='static_transform_publisher', name='antenna', namespace='',
        arguments=[*ANTENNA, '--frame-id', 'base_link', '--child-frame-id', 'gps_antenna'],
        parameters=[{'use_sim_time': True}], ros_arguments=enclave(args, 'antenna'),
        output='screen')]
    for program, name, remappings, given in (
            ('ekf_node', 'ekf_odom', [('odometry/filtered', 'odometry/local')], {}),
            ('ekf_node', 'ekf_map', [],
             {'initial_state': [x, y, 0.0, 0.0, 0.0, yaw] + 9 * [0.0]}),
            ('navsat_transform_node', 'navsat_transform',
             [('imu', 'imu_with_covariance'), ('gps/fix', 'fix_with_covariance')],
             {'datum': [datum[1], datum[0], 0.0]})):
        started.append(Node(
            package='robot_localization', executable=program, name=name, namespace='',
            parameters=[os.path.join(PARAMS, 'robot_localization.yaml'), *files, given],
            remappings=remappings, output='screen',
            ros_arguments=['--log-level', args['log_level'], *enclave(args, name)]))
    return started


def navigation(args, files):
    """Return Nav2's servers, and the manager that activates them."""
    # Gazebo's drive holds the last command, so those of Nav2 go through our guard, too.
    watched = [('cmd_vel', 'cmd_vel_in')]
    levels = ['--log-level', args['log_level']]
    if args['log_level'] == 'info':  # it tells each new path, one a second
        levels += ['--log-level', 'controller_server:=warn']
    return [
        Node(
            package=installed(package, 'nav2:=true'), executable=program, name=name, namespace='',
            parameters=[*NAV2, *files], remappings=remappings, output='screen',
            ros_arguments=[*levels, *enclave(args, name)])
        for package, program, name, remappings in (
            ('nav2_controller', 'controller_server', 'controller_server', watched),
            ('nav2_planner', 'planner_server', 'planner_server', []),
            ('nav2_behaviors', 'behavior_server', 'behavior_server', watched),
            ('nav2_bt_navigator', 'bt_navigator', 'bt_navigator', []),
            ('nav2_lifecycle_manager', 'lifecycle_manager', 'lifecycle_manager_navigation', []))]


def nodes(context):
    """Return Gazebo, fieldsim and the nodes that explore.launch.py starts."""
    refuse_unknown(os.path.realpath(__file__), ARGUMENTS)
    args = context.launch_configurations
    files = parameter_files(args)
    ours = args['world'] in ('field', 'field_flat')
    if not ours and not args['field']:
        raise RuntimeError(f'world:={args["world"]}: give its field with field:=FILE')
    world = os.path.join(WORLDS, args['world'] + '.sdf') if ours else existing(
        args['world'], 'world')
    field = existing(args['field'] or os.path.join(WORLDS, 'field.geojson'), 'field')
    own_filter = args['localization'] == 'ekf'
    nav2 = args['nav2'] != 'false'

    step, datum = described(world)
    given = {'field.boundary_file': ParameterValue(field, value_type=str),
             'field.datum': datum, 'fix.datum': datum}
    if args['fixes'] == 'fieldsim':
        given['fix.publish'] = True
    if not own_filter:
        given['covariances.publish'] = True
    if args['seed']:
        given['seed'] = int(number(args, 'seed'))
    explore = {name: args[name] for name in (
        'samples', 'seed', 'auto_start', 'output_dir', 'rviz', 'log_level', 'enclaves')}
    defaults = [GAZEBO, *NAV2[:1]] if args['nav2'] == 'true' else [GAZEBO]
    explore.update(
        params_file=','.join([*defaults, *files]), field=field, use_sim_time='true',
        datum=','.join(map(repr, datum)),
        follower=str(not nav2).lower(), nav2=str(nav2).lower(), ekf=str(own_filter).lower(),
        guard=str(args['nav2'] != 'external').lower(),  # Gazebo's drive holds the last command
        end_when_done=args['end_when_done'], shutdown_on_exit='true')
    if args['heading'] == 'given':
        explore['initial_yaw'] = f'{number(args, "yaw"):f}'
    started = simulator(args, world, step)
    started.append(Node(
        executable=executable('fieldsim'), name='fieldsim', namespace='',
        parameters=[GAZEBO, *files, given], output='screen',
        ros_arguments=['--log-level', args['log_level'], *enclave(args, 'fieldsim')],
        on_exit=[Shutdown(reason='fieldsim has ended')]))
    if not own_filter:
        started += others_filter(args, files, datum)
    if args['nav2'] == 'true':
        started += navigation(args, files)
    started.append(IncludeLaunchDescription(
        PythonLaunchDescriptionSource(os.path.join(HERE, 'explore.launch.py')),
        launch_arguments=explore.items()))
    return started


def generate_launch_description():
    return LaunchDescription([*ARGUMENTS, OpaqueFunction(function=nodes)])
