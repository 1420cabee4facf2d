"""What the launch files share: where programs, files and packages are."""

import os

from ament_index_python.packages import get_package_prefix
from ament_index_python.packages import PackageNotFoundError

HERE = os.path.dirname(os.path.abspath(__file__))


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
