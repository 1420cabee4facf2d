# Copyright 2026 the authors of ugp_explorer
# SPDX-License-Identifier: Apache-2.0

"""What the launch files share: arguments, and where programs, files and packages are."""

import difflib
import os
import sys

from ament_index_python.packages import get_package_prefix
from ament_index_python.packages import PackageNotFoundError
from launch.actions import DeclareLaunchArgument

HERE = os.path.dirname(os.path.abspath(__file__))

SWITCH = ['true', 'false']

# Arguments that several launch files have: default, choices and description.
SHARED = {
    'namespace': (
        '', None,
        'namespace of the nodes and of their topics, except for /clock and /tf'),
    'params_file': (
        '', None,
        'ROS parameter file whose values replace those of params/*.yaml, for any node; with '
        'several files, separated by commas, later ones take precedence'),
    'samples': (
        '', None,
        'number of samples to take (budget.samples)'),
    'output_dir': (
        '', None,
        'folder of the mission: journal, bags, mission.json and the report; if the folder has '
        'an interrupted mission, that mission continues (existing_mission, auto_resume); when '
        'empty, the folder that params_file sets, or else a new mission_<date>-<time> in the '
        'current folder'),
    'auto_start': (
        '', ['', *SWITCH],
        'start the mission with the first pose, without waiting for ~/start; the robot moves at'
        ' once'),
    'cmd_vel_stamped': (
        '', ['', *SWITCH],
        'velocity commands are TwistStamped, which robots expect since ROS 2 Jazzy'),
    'rviz': (
        'false', SWITCH,
        'start RViz with rviz/explore.rviz: maps, samples, goal, plan, pose and, in a '
        'simulation, the true path; needs the package rviz2; closing RViz does not end the '
        'nodes'),
    'log_level': (
        'info', ['debug', 'info', 'warn', 'error', 'fatal'],
        'lowest level of the log messages that the nodes write'),
    'enclaves': (
        '', None,
        'security enclave that holds one enclave for each node, such as /ugp for /ugp/follower:'
        ' see security/README.md; when empty, all nodes have the enclave /, or '
        'ROS_SECURITY_ENCLAVE_OVERRIDE'),
}


def shared(*names):
    """Return the declarations of arguments that several launch files have."""
    return [DeclareLaunchArgument(name, default_value=default, description=text,
                                  **({'choices': choices} if choices else {}))
            for name in names for default, choices, text in [SHARED[name]]]


def refuse_unknown(file, declared):
    """
    Raise an error if the command line gives a launch file an argument that it does not declare.

    ros2 launch says nothing of a misspelt field:=, and the robot would drive on another field.
    Arguments of a launch file that includes this one are its own matter.
    """
    words = sys.argv[1:]
    started = [i for i, word in enumerate(words) if os.path.realpath(word) == file
               or words[i - 1:i + 1] == ['ugp_explorer', os.path.basename(file)]]
    if not started:
        return
    names = [argument.name for argument in declared]
    for word in words[started[0] + 1:]:
        name, given, _ = word.partition(':=')
        if not given or name in names:
            continue
        alike = difflib.get_close_matches(name, names, 1)
        raise RuntimeError(f'{word}: {os.path.basename(file)} has no argument {name}; '
                           + (f'{alike[0]} is alike; ' if alike else '')
                           + '--show-args lists those that it has')


def executable(name):
    """Return the path of a program: in the repository of this file, or else as installed."""
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
    """Return the absolute path of a file that an argument names; one of its fields may stand behind a #."""
    absolute = os.path.abspath(os.path.expanduser(path))
    if not os.path.isfile(absolute) and not os.path.isfile(absolute.rpartition('#')[0]):
        raise RuntimeError(f'{argument}:={path}: there is no such file')
    return absolute


def parameter_files(args):
    """Return the absolute paths of the files in the argument params_file."""
    return [existing(f, 'params_file') for f in args['params_file'].split(',') if f]


def installed(package, why):
    """Return a package after a check that it is installed, for those that not every robot needs."""
    prefix_of(package, why)
    return package


def prefix_of(package, why):
    """Return where a package is installed."""
    try:
        return get_package_prefix(package)
    except PackageNotFoundError:
        raise RuntimeError(f'{why}: the package {package} is not installed') from None


def enclave(args, node):
    """Return the ROS arguments for the enclave of a node; none if no enclaves were given."""
    return ['--enclave', args['enclaves'].rstrip('/') + '/' + node] if args['enclaves'] else []
