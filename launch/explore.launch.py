# Copyright 2026 the authors of ugp_explorer
# SPDX-License-Identifier: Apache-2.0

"""
Starts the explorer on a robot and, when asked, this package's follower and filter.

    ros2 launch ugp_explorer explore.launch.py field:=field.geojson follower:=true
    ros2 launch ugp_explorer explore.launch.py field:=field.geojson follower:=true \\
      ekf:=true datum:=8.0471,52.2726 gps_topic:=gps/fix imu_topic:=imu/data
    ros2 launch launch/explore.launch.py --show-args

Each node reads its file in params/, then params_file, then the arguments that are given; for an
empty argument the values in the files apply. When one node of a robot ends, the others continue:
the guard holds the robot when the explorer is silent, and without the filter the explorer halts the
robot until there are poses again. With shutdown_on_exit:=true all nodes end instead.
"""

import os
import sys
import time

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.actions import OpaqueFunction
from launch.actions import Shutdown
from launch.substitutions import LaunchConfiguration
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
from ugp_support import refuse_unknown  # noqa: E402
from ugp_support import shared  # noqa: E402
from ugp_support import SWITCH  # noqa: E402

# Patience of launch with a node that was told to end, s after it has sent SIGTERM. The explorer
# writes its record first and then the maps of its report, for which 5 s are not enough on a
# busy computer.
PATIENCE = '60'

SOURCES = ['odometry', 'pose', 'tf']
READINGS = ['FieldReading', 'Float32', 'Float64', 'FluidPressure', 'Illuminance',
            'RelativeHumidity', 'Temperature']

ARGUMENTS = [
    *shared('namespace', 'params_file', 'samples', 'output_dir', 'auto_start', 'cmd_vel_stamped',
            'rviz', 'log_level', 'enclaves'),
    DeclareLaunchArgument(
        'use_sim_time', default_value='', choices=['', *SWITCH],
        description='use the time on /clock, as in a simulation'),
    DeclareLaunchArgument(
        'field', default_value='',
        description='GeoJSON file with the outline of the field and its keep-outs, in metres in '
                    'the map frame, or in degrees with datum; needed unless params_file sets '
                    'field.file, or outline is given'),
    DeclareLaunchArgument(
        'outline', default_value='',
        description='GeoJSON file for an outline that a person records by driving the robot '
                    'along the edge of the field, on the page (web) or by services '
                    '(outline.file); when it exists already and field is empty, it is the field'),
    DeclareLaunchArgument(
        'web', default_value='',
        description='address of the page for a phone or tablet, such as :8080 (web.address); '
                    'the explorer prints its link and token'),
    DeclareLaunchArgument(
        'datum', default_value='',
        description="LON,LAT: longitude and latitude of the map's origin, such as 8.0471,52.2726, "
                    'for a field in degrees and for fixes of a satellite receiver (sets '
                    'field.datum of the explorer and datum of the filter); with a field in '
                    "metres, set the filter's datum in params_file instead"),
    DeclareLaunchArgument(
        'seed', default_value='',
        description="seed of the random numbers of the explorer's search"),
    DeclareLaunchArgument(
        'team', default_value='',
        description="full names of the other robots' explorers, separated by commas, such as "
                    '/robot2/ugp_explorer (sets team)'),
    DeclareLaunchArgument(
        'follower', default_value='false', choices=SWITCH,
        description="start this package's path follower; without it, Nav2 or another node must "
                    'drive to goal_pose or along plan'),
    DeclareLaunchArgument(
        'nav2', default_value='false', choices=SWITCH,
        description='send the goals to Nav2 through its action (sets goal.interface); start Nav2 '
                    'separately'),
    DeclareLaunchArgument(
        'nav2_action', default_value='navigate_to_pose',
        description="name of Nav2's action, when nav2 is true"),
    DeclareLaunchArgument(
        'ekf', default_value='false', choices=SWITCH,
        description="start this package's filter over wheel odometry, position fixes and yaw "
                    "rates; without it, the robot's own localisation must publish odometry_topic "
                    'or pose_topic'),
    DeclareLaunchArgument(
        'initial_yaw', default_value='',
        description='heading of the robot at the start for the filter, rad counter-clockwise from '
                    'east; when empty, the value that params_file sets, or else the filter finds '
                    'it by driving'),
    DeclareLaunchArgument(
        'odometry_topic', default_value='odometry/filtered',
        description='topic of nav_msgs/Odometry with the pose in the map frame, its covariance '
                    'and the velocity, for the explorer and the follower; the filter publishes it'),
    DeclareLaunchArgument(
        'pose_topic', default_value='',
        description='topic of geometry_msgs/PoseWithCovarianceStamped for the explorer, in place '
                    "of odometry_topic (sets pose.source); with AMCL's, amcl_pose, the pose comes "
                    'from /tf and its covariance from the topic'),
    DeclareLaunchArgument(
        'pose_source', default_value='', choices=['', *SOURCES],
        description='source of the pose (pose.source): odometry (odometry_topic), pose '
                    '(pose_topic) or tf (the pose on /tf with the covariance on pose_topic, for a '
                    'localisation that publishes only after the robot has moved, such as AMCL or '
                    'slam_toolbox); when empty, tf for a pose_topic that is called amcl_pose, '
                    'pose for another one, and otherwise the value that params_file sets'),
    DeclareLaunchArgument(
        'base_frame', default_value='',
        description='frame of the robot on /tf, when the pose comes from there (sets '
                    'pose.base_frame)'),
    DeclareLaunchArgument(
        'reading_topic', default_value='reading', description="topic of the sensor's readings"),
    DeclareLaunchArgument(
        'reading_type', default_value='', choices=['', *READINGS],
        description='message type of the readings (reading.type)'),
    DeclareLaunchArgument(
        'secondary_topic', default_value='secondary',
        description="topic of a second sensor's readings, whose type is secondary.type"),
    DeclareLaunchArgument(
        'cmd_vel_topic', default_value='cmd_vel',
        description="topic of the follower's velocity commands"),
    DeclareLaunchArgument(
        'guard', default_value='auto', choices=['auto', *SWITCH],
        description='start the node that keeps the robot inside the field by raw position fixes '
                    'and wheel odometry, and stops it when commands cease; it forwards '
                    'cmd_vel_in, on which the follower then publishes, to cmd_vel_topic (remap '
                    'Nav2 to cmd_vel_in); auto: with ekf:=true, and with the poses of AMCL'),
    DeclareLaunchArgument(
        'allowance', default_value='',
        description='how far outside the outline, and inside a keep-out, the guard lets the robot '
                    'get at worst, m (sets allowance); 0 suits a receiver of centimetre accuracy'),
    DeclareLaunchArgument(
        'odom_topic', default_value='odom',
        description='topic of the wheel odometry for the filter'),
    DeclareLaunchArgument(
        'fix_topic', default_value='fix_pose',
        description='topic of position fixes for the filter, '
                    'geometry_msgs/PoseWithCovarianceStamped in the map frame'),
    DeclareLaunchArgument(
        'gps_topic', default_value='fix',
        description='topic of position fixes of a satellite receiver for the filter, '
                    'sensor_msgs/NavSatFix'),
    DeclareLaunchArgument(
        'imu_topic', default_value='imu',
        description='topic of the IMU for the filter, sensor_msgs/Imu; optional'),
    DeclareLaunchArgument(
        'end_when_done', default_value='', choices=['', *SWITCH],
        description='the explorer ends when the mission is over and its report is written'),
    DeclareLaunchArgument(
        'shutdown_on_exit', default_value='false', choices=SWITCH,
        description='end all nodes when one of them ends'),
]

# Arguments that set a parameter when they are given.
OF_ALL = {'use_sim_time': 'use_sim_time'}
OF_EXPLORER = {'samples': 'budget.samples', 'seed': 'seed', 'auto_start': 'auto_start',
               'reading_type': 'reading.type', 'base_frame': 'pose.base_frame',
               'end_when_done': 'end_when_done'}
OF_EKF = {'initial_yaw': 'initial_yaw'}
OF_DRIVER = {'cmd_vel_stamped': 'cmd_vel_stamped'}
OF_GUARD = {**OF_DRIVER, 'allowance': 'allowance'}


def place(lon_lat):
    """Return the longitude and latitude in the argument datum."""
    try:
        lon, lat = (float(number) for number in lon_lat.split(','))
    except ValueError:
        raise RuntimeError(f'datum:={lon_lat}: want LON,LAT, such as datum:=8.0471,52.2726')
    return [lon, lat]


def of_amcl(topic):
    """Return whether a topic of poses is AMCL's."""
    return topic.split('/')[-1] == 'amcl_pose'


def pose_source(args):
    """Return the value of pose.source that the arguments ask for; '' if they ask for none."""
    source, topic = args['pose_source'], args['pose_topic']
    if source == 'odometry' and topic:
        raise RuntimeError(f'pose_source:=odometry pose_topic:={topic}: the pose comes from one '
                           'of them; leave out pose_topic, or give pose_source:=pose or tf')
    if source or not topic:
        return source
    return 'tf' if of_amcl(topic) else 'pose'


def text(value):
    """Return a parameter that stays text, even when it looks like a number."""
    return ParameterValue(value, value_type=str)


def nodes(context):
    """Return the nodes that the arguments select."""
    refuse_unknown(os.path.realpath(__file__), ARGUMENTS)
    args = context.launch_configurations
    nav2 = args['nav2'] == 'true'
    if nav2 and args['follower'] == 'true':
        raise RuntimeError('nav2:=true follower:=true: one of them can drive the robot, not both')
    files = parameter_files(args)

    def node(program, name, remappings, default, given, of_node):
        for argument, parameter in {**OF_ALL, **of_node}.items():
            if args[argument]:
                given[parameter] = LaunchConfiguration(argument)  # typed as YAML is
        parameters = [os.path.join(HERE, 'params', program + '.yaml'), default, *files, given]
        ends = args['shutdown_on_exit'] == 'true'
        return Node(
            executable=executable(program), name=name, namespace=args['namespace'],
            parameters=[p for p in parameters if p], remappings=remappings,
            ros_arguments=['--log-level', args['log_level'], *enclave(args, name)],
            output='screen',
            sigkill_timeout=PATIENCE,
            on_exit=[Shutdown(reason=f'{name} has ended')] if ends else None)

    odometry = ('odometry/filtered', args['odometry_topic'])
    inputs = [('odom', args['odom_topic']), ('fix_pose', args['fix_topic']),
              ('fix', args['gps_topic']), ('imu', args['imu_topic'])]  # of a filter
    started = []
    if args['ekf'] == 'true':
        remappings = [odometry, *inputs]
        given = {'heading': 'given'} if args['initial_yaw'] else {}
        if args['datum']:
            given['datum'] = place(args['datum'])
        started.append(node('ekf', 'ekf', remappings, {}, given, OF_EKF))
    amcl = of_amcl(args['pose_topic'])
    guarded = args['guard'] == 'true' or args['guard'] == 'auto' and (args['ekf'] == 'true' or amcl)
    if guarded:
        remappings = [('cmd_vel', args['cmd_vel_topic']), *inputs]
        if amcl:
            remappings[2] = ('fix_pose', args['pose_topic'])
        given = {}
        if args['field'] or args['outline']:
            outline = os.path.expanduser(args['field'] or args['outline'])
            given['field.file'] = text(os.path.abspath(outline))
        if args['datum']:
            given['field.datum'] = given['datum'] = place(args['datum'])
        started.append(node('guard', 'guard', remappings, {}, given, OF_GUARD))
    if args['follower'] == 'true':
        remappings = [odometry, ('cmd_vel', 'cmd_vel_in' if guarded else args['cmd_vel_topic'])]
        started.append(node('follower', 'follower', remappings, {}, {}, OF_DRIVER))

    remappings = [
        odometry, ('reading', args['reading_topic']), ('secondary', args['secondary_topic'])]
    if nav2:
        remappings.append(('navigate_to_pose', args['nav2_action']))
    default = {'output_dir': text(os.path.abspath(time.strftime('mission_%Y_%m_%d-%H_%M_%S')))}
    given = {}
    if args['field']:
        given['field.file'] = text(existing(args['field'], 'field'))
    if args['outline']:
        given['outline.file'] = text(os.path.abspath(os.path.expanduser(args['outline'])))
    if args['web']:
        given['web.address'] = text(args['web'])
    if args['datum']:
        given['field.datum'] = place(args['datum'])
    if args['team']:
        given['team'] = args['team'].split(',')
    if args['output_dir']:
        given['output_dir'] = text(os.path.abspath(os.path.expanduser(args['output_dir'])))
    if args['pose_topic']:
        remappings.append(('pose', args['pose_topic']))
    if pose_source(args):
        given['pose.source'] = pose_source(args)
    if nav2:
        given['goal.interface'] = 'navigate_to_pose'
    recorded = [*remappings, *inputs]  # the explorer records a filter's inputs (record.also)
    started.append(node('explorer', 'ugp_explorer', recorded, default, given, OF_EXPLORER))
    if args['rviz'] == 'true':
        given = {p: LaunchConfiguration(a) for a, p in OF_ALL.items() if args[a]}
        if nav2:  # Nav2 has its own goal_pose and plan
            own = [(name, 'ugp_explorer/' + name) for name in ('goal_pose', 'plan')]
            remappings = [*remappings, *own]
        started.append(Node(
            package=installed('rviz2', 'rviz:=true'), executable='rviz2', name='rviz2',
            namespace=args['namespace'], parameters=[p for p in [*files, given] if p],
            remappings=[*remappings, ('fix_pose', args['fix_topic'])],
            ros_arguments=enclave(args, 'operator'),  # a person sits in front of it
            arguments=['-d', os.path.join(HERE, 'rviz', 'explore.rviz')], output='screen'))
    return started


def generate_launch_description():
    return LaunchDescription([*ARGUMENTS, OpaqueFunction(function=nodes)])
