"""
Starts the explorer on a robot and, when asked, this package's follower and filter.

    ros2 launch ugp_explorer explore.launch.py field:=field.geojson follower:=true
    ros2 launch launch/explore.launch.py --show-args

Each node takes its file in params/, then params_file, then the arguments that are given: an
argument that is left empty leaves the matter to the files. The nodes of a robot go on when one of
them ends: the follower stops the robot by itself when it hears of no goal any more, and a filter
that ends makes the explorer halt the robot until there are poses again. shutdown_on_exit:=true ends
all of them instead.
"""

import os
import time

from ament_index_python.packages import get_package_prefix
from ament_index_python.packages import PackageNotFoundError
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.actions import OpaqueFunction
from launch.actions import Shutdown
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue

HERE = os.path.dirname(os.path.abspath(__file__))

SWITCH = ['true', 'false']
READINGS = ['FieldReading', 'Float32', 'Float64', 'FluidPressure', 'Illuminance',
            'RelativeHumidity', 'Temperature']

ARGUMENTS = [
    DeclareLaunchArgument(
        'namespace', default_value='',
        description='namespace of the nodes and of their topics'),
    DeclareLaunchArgument(
        'use_sim_time', default_value='', choices=['', *SWITCH],
        description='take the time from /clock, as in a simulation'),
    DeclareLaunchArgument(
        'params_file', default_value='',
        description='ROS parameter file with what is to differ from params/*.yaml, for any of the '
                    'nodes; of several, with commas between them, the last holds'),
    DeclareLaunchArgument(
        'field', default_value='',
        description='GeoJSON file with the outline of the field and its keep-outs, in metres in '
                    'the map frame, or in degrees with the parameter field.datum; needed unless '
                    'params_file sets field.file'),
    DeclareLaunchArgument(
        'output_dir', default_value='',
        description='folder of the mission: journal, bags, mission.json and the report; one with '
                    'a mission that was interrupted is taken up (existing_mission, auto_resume); '
                    'when empty, the one of params_file or else a new mission_<date>-<time> in '
                    'the folder where you are'),
    DeclareLaunchArgument(
        'samples', default_value='', description='samples to be taken (budget.samples)'),
    DeclareLaunchArgument(
        'seed', default_value='', description="seed of the search's random numbers"),
    DeclareLaunchArgument(
        'auto_start', default_value='', choices=['', *SWITCH],
        description='drive with the first pose, without waiting for ~/start'),
    DeclareLaunchArgument(
        'team', default_value='',
        description="full names of the other robots' explorers, with commas between them, as "
                    '/robot2/ugp_explorer (sets team)'),
    DeclareLaunchArgument(
        'follower', default_value='false', choices=SWITCH,
        description="start this package's path follower; without it something else drives to "
                    'goal_pose or along plan, or Nav2 does'),
    DeclareLaunchArgument(
        'nav2', default_value='false', choices=SWITCH,
        description="send the goals to Nav2, which is not started here, by its action (sets "
                    'goal.interface)'),
    DeclareLaunchArgument(
        'nav2_action', default_value='navigate_to_pose', description='what that action is called'),
    DeclareLaunchArgument(
        'ekf', default_value='false', choices=SWITCH,
        description="start this package's filter over wheel odometry and position fixes; without "
                    "it the robot's own localisation publishes odometry_topic or pose_topic"),
    DeclareLaunchArgument(
        'initial_yaw', default_value='',
        description='where the robot looks at the start, rad counter-clockwise from east, for the '
                    'filter; when empty, the one of params_file or else what driving shows'),
    DeclareLaunchArgument(
        'odometry_topic', default_value='odometry/filtered',
        description='nav_msgs/Odometry with pose in the map, covariance and velocity, for the '
                    'explorer and the follower; the filter publishes it'),
    DeclareLaunchArgument(
        'pose_topic', default_value='',
        description='geometry_msgs/PoseWithCovarianceStamped for the explorer, as of AMCL, '
                    'instead of odometry_topic (sets pose.source)'),
    DeclareLaunchArgument(
        'reading_topic', default_value='reading', description="the sensor's readings"),
    DeclareLaunchArgument(
        'reading_type', default_value='', choices=['', *READINGS],
        description='their message type (reading.type)'),
    DeclareLaunchArgument(
        'cmd_vel_topic', default_value='cmd_vel',
        description='velocity commands of the follower'),
    DeclareLaunchArgument(
        'cmd_vel_stamped', default_value='', choices=['', *SWITCH],
        description='the follower publishes TwistStamped, as robots from Jazzy on expect'),
    DeclareLaunchArgument(
        'odom_topic', default_value='odom', description='wheel odometry for the filter'),
    DeclareLaunchArgument(
        'fix_topic', default_value='fix_pose',
        description='geometry_msgs/PoseWithCovarianceStamped of position fixes for the filter'),
    DeclareLaunchArgument(
        'log_level', default_value='info', choices=['debug', 'info', 'warn', 'error', 'fatal'],
        description='least level of what the nodes log'),
    DeclareLaunchArgument(
        'rviz', default_value='false', choices=SWITCH,
        description='start RViz with rviz/explore.rviz: maps, samples, goal, plan and pose; needs '
                    'the package rviz2. It may be closed: the nodes go on'),
    DeclareLaunchArgument(
        'shutdown_on_exit', default_value='false', choices=SWITCH,
        description='end all nodes when one of them ends'),
]

# The arguments that set a parameter, where they are given.
OF_ALL = {'use_sim_time': 'use_sim_time'}
OF_EXPLORER = {'samples': 'budget.samples', 'seed': 'seed', 'auto_start': 'auto_start',
               'reading_type': 'reading.type'}
OF_EKF = {'initial_yaw': 'initial_yaw'}
OF_FOLLOWER = {'cmd_vel_stamped': 'cmd_vel_stamped'}


def executable(name):
    """Return the path of a program: of the repository of this file, or else as installed."""
    repository = os.path.dirname(HERE)
    places = [os.path.join(repository, 'bin', name)]
    try:
        prefix = get_package_prefix('ugp_explorer')
        places.append(os.path.join(prefix, 'lib', 'ugp_explorer', name))
    except PackageNotFoundError:
        pass
    for place in places:
        if os.path.isfile(place):
            return place
    raise RuntimeError(f'there is no program {" or ".join(places)}: run `make ros` in '
                       f'{repository}, or source a workspace with the package ugp_explorer')


def existing(path, argument):
    """Return the absolute path of a file that an argument names."""
    absolute = os.path.abspath(os.path.expanduser(path))
    if not os.path.isfile(absolute):
        raise RuntimeError(f'{argument}:={path}: there is no such file')
    return absolute


def installed(package, argument):
    """Return a package that an argument needs and this one does not depend on."""
    try:
        get_package_prefix(package)
    except PackageNotFoundError:
        raise RuntimeError(f'{argument}: the package {package} is not installed') from None
    return package


def text(value):
    """Return a parameter that stays text, even when it looks like a number."""
    return ParameterValue(value, value_type=str)


def nodes(context):
    """Return the nodes that the arguments ask for."""
    args = context.launch_configurations
    nav2 = args['nav2'] == 'true'
    if nav2 and args['follower'] == 'true':
        raise RuntimeError('nav2:=true follower:=true: one of them can drive the robot, not both')
    files = [existing(f, 'params_file') for f in args['params_file'].split(',') if f]

    def node(program, name, remappings, default, given, of_node):
        for argument, parameter in {**OF_ALL, **of_node}.items():
            if args[argument]:
                given[parameter] = LaunchConfiguration(argument)  # typed as YAML is
        parameters = [os.path.join(HERE, 'params', program + '.yaml'), default, *files, given]
        ends = args['shutdown_on_exit'] == 'true'
        return Node(
            executable=executable(program), name=name, namespace=args['namespace'],
            parameters=[p for p in parameters if p], remappings=remappings,
            ros_arguments=['--log-level', args['log_level']], output='screen',
            on_exit=[Shutdown(reason=f'{name} has ended')] if ends else None)

    odometry = ('odometry/filtered', args['odometry_topic'])
    started = []
    if args['ekf'] == 'true':
        remappings = [odometry, ('odom', args['odom_topic']), ('fix_pose', args['fix_topic'])]
        given = {'heading': 'given'} if args['initial_yaw'] else {}
        started.append(node('ekf', 'ekf', remappings, {}, given, OF_EKF))
    if args['follower'] == 'true':
        remappings = [odometry, ('cmd_vel', args['cmd_vel_topic'])]
        started.append(node('follower', 'follower', remappings, {}, {}, OF_FOLLOWER))

    remappings = [odometry, ('reading', args['reading_topic'])]
    if nav2:
        remappings.append(('navigate_to_pose', args['nav2_action']))
    default = {'output_dir': text(os.path.abspath(time.strftime('mission_%Y_%m_%d-%H_%M_%S')))}
    given = {}
    if args['field']:
        given['field.file'] = text(existing(args['field'], 'field'))
    if args['team']:
        given['team'] = args['team'].split(',')
    if args['output_dir']:
        given['output_dir'] = text(os.path.abspath(os.path.expanduser(args['output_dir'])))
    if args['pose_topic']:
        remappings.append(('pose', args['pose_topic']))
        given['pose.source'] = 'pose'
    if nav2:
        given['goal.interface'] = 'navigate_to_pose'
    started.append(node('explorer', 'ugp_explorer', remappings, default, given, OF_EXPLORER))
    if args['rviz'] == 'true':
        given = {p: LaunchConfiguration(a) for a, p in OF_ALL.items() if args[a]}
        if nav2:  # goal_pose and plan are Nav2's own then
            own = [(name, 'ugp_explorer/' + name) for name in ('goal_pose', 'plan')]
            remappings = [*remappings, *own]
        started.append(Node(
            package=installed('rviz2', 'rviz:=true'), executable='rviz2', name='rviz2',
            namespace=args['namespace'], parameters=[p for p in [*files, given] if p],
            remappings=[*remappings, ('fix_pose', args['fix_topic'])],
            arguments=['-d', os.path.join(HERE, 'rviz', 'explore.rviz')], output='screen'))
    return started


def generate_launch_description():
    return LaunchDescription([*ARGUMENTS, OpaqueFunction(function=nodes)])
