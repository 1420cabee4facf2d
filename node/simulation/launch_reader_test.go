// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

// launchReader stands in for ROS 2's launch, which is not on every machine: for each line of JSON it
// prints one, with the nodes that a launch file starts with the arguments given, as launch
// would. The test with the build tag fastdds has the real one.
const launchReader = `
import importlib.util, json, os, sys, traceback, types, xml.etree.ElementTree

class Recorded:
    def __init__(self, *args, **kwargs):
        self.args, self.kwargs = args, kwargs

    @property
    def name(self):
        return self.args[0]

def kind(name):
    return type(name, (Recorded,), {})

class PackageNotFoundError(KeyError):
    pass

def get_package_prefix(package):
    if not request['Prefix']:
        raise PackageNotFoundError(package)
    return request['Prefix']

def module(name, *names, **members):
    sys.modules[name] = m = types.ModuleType(name)
    m.__dict__.update({n: kind(n) for n in names}, **members)
    return m

launch = module('launch', 'LaunchDescription')
actions = module('launch.actions', 'DeclareLaunchArgument', 'GroupAction', 'IncludeLaunchDescription', 'OpaqueFunction', 'SetLaunchConfiguration', 'Shutdown')
module('launch.substitutions', 'LaunchConfiguration')
module('launch.launch_description_sources', 'PythonLaunchDescriptionSource')
module('launch_ros')
module('launch_ros.actions', 'Node')
module('launch_ros.parameter_descriptions', 'ParameterValue')
module('ament_index_python')
module('ament_index_python.packages', get_package_prefix=get_package_prefix, PackageNotFoundError=PackageNotFoundError)

def as_yaml(value, config):
    if type(value).__name__ == 'LaunchConfiguration':
        return config[value.args[0]]
    if type(value).__name__ == 'ParameterValue':
        assert value.kwargs['value_type'] is str
        value = value.args[0]
    return json.dumps(value)

def visit(path, config, nodes):
    spec = importlib.util.spec_from_file_location('launched', path)
    file = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(file)
    queue = list(file.generate_launch_description().args[0])
    while queue:
        e = queue.pop(0)
        k = getattr(e, 'kwargs', {})
        name = type(e).__name__
        if name == 'DeclareLaunchArgument':
            assert k['description']
            config.setdefault(e.args[0], k['default_value'])
            if config[e.args[0]] not in k.get('choices', [config[e.args[0]]]):
                raise RuntimeError(f'{e.args[0]}:={config[e.args[0]]}: want one of {k["choices"]}')
        elif name == 'OpaqueFunction':
            context = types.SimpleNamespace(launch_configurations=config)
            queue = list(k['function'](context)) + queue
        elif name == 'GroupAction':  # the end of its scope restores the configurations
            queue = [*e.args[0], dict(config)] + queue
        elif name == 'dict':
            config.clear()
            config.update(e)
        elif name == 'SetLaunchConfiguration':
            config[e.args[0]] = e.args[1]
        elif name == 'IncludeLaunchDescription':
            path = e.args[0].args[0]
            if not os.path.isfile(path):  # of another package
                args = [f'{n}:={v}' for n, v in k['launch_arguments']]
                nodes.append({'Package': path.split(os.sep)[-3], 'Executable': os.path.basename(path), 'Args': args, 'Prefix': config.get('launch-prefix', '')})
                continue
            config.update(k['launch_arguments'])
            visit(path, config, nodes)
        else:
            assert name == 'Node'
            nodes.append({
                'Package': k.get('package', ''), 'Executable': k['executable'], 'Shutdown': bool(k.get('on_exit')), 'Patience': float(k.get('sigkill_timeout', 5)), 'Prefix': config.get('launch-prefix', ''),
                'Args': [*k.get('arguments', []), '--ros-args', *k.get('ros_arguments', []), '-r', '__node:=' + k['name'], '-r', '__ns:=/' + k['namespace']],
            })
            args = nodes[-1]['Args']
            for p in k['parameters']:
                if isinstance(p, dict):
                    for n, v in p.items():
                        args += ['-p', n + ':=' + as_yaml(v, config)]
                else:
                    args += ['--params-file', p]
            for a, b in k.get('remappings', []):
                args += ['-r', a + ':=' + b]

for line in sys.stdin:
    request = json.loads(line)
    if os.fork() == 0:  # nothing of one launch file is left for the next
        os.chdir(request['Dir'])
        sys.argv = ['ros2', 'launch', request['File'], *(request['Arguments'] or [])]
        nodes, failed = [], ''
        try:
            visit(request['File'], dict(a.split(':=', 1) for a in request['Arguments'] or []), nodes)
        except RuntimeError as err:
            failed = str(err)
        except Exception:
            failed = traceback.format_exc()
        print(json.dumps({'Nodes': nodes, 'Failed': failed}), flush=True)
        os._exit(0)
    os.wait()
`
