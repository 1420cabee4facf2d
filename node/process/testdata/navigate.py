"""
Stands in for Nav2: an action server by rclpy that has the follower drive straight to its goals.

The first goal is rejected and the second aborted, as a test has to see. A goal that comes while
another is under way replaces it, which is then aborted, as Nav2 does it.
"""

import math
import threading
import time

from geometry_msgs.msg import PoseStamped
from nav2_msgs.action import NavigateToPose
from nav_msgs.msg import Odometry
from nav_msgs.msg import Path
import rclpy
from rclpy.action import ActionServer
from rclpy.action import CancelResponse
from rclpy.action import GoalResponse
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.executors import ExternalShutdownException
from rclpy.executors import MultiThreadedExecutor
from rclpy.node import Node
from rclpy.qos import qos_profile_sensor_data


class Navigator(Node):

    def __init__(self):
        super().__init__('bt_navigator')
        group = ReentrantCallbackGroup()
        self.goals = 0
        self.taken = 0
        self.current = None
        self.at = None
        self.lock = threading.Lock()
        self.plan = self.create_publisher(Path, 'plan', 10)
        self.create_subscription(
            Odometry, 'odometry/filtered', self.moved, qos_profile_sensor_data,
            callback_group=group)
        self.server = ActionServer(
            self, NavigateToPose, 'navigate_to_pose', self.execute, callback_group=group,
            goal_callback=self.decide, cancel_callback=self.cancel)
        self.say('ready')

    def say(self, what):
        print(what, flush=True)

    def moved(self, odometry):
        self.at = odometry.pose.pose.position

    def decide(self, goal):
        with self.lock:
            self.goals += 1
            rejected = self.goals == 1
        self.say('rejected' if rejected else 'accepted')
        return GoalResponse.REJECT if rejected else GoalResponse.ACCEPT

    def cancel(self, goal):
        self.say('asked to cancel')
        return CancelResponse.ACCEPT

    def execute(self, goal):
        with self.lock:
            self.taken += 1
            aborts = self.taken == 1
            self.current = goal
        if aborts:
            goal.abort()
            self.say('aborted')
            return NavigateToPose.Result()
        target = goal.request.pose
        while rclpy.ok():
            if goal.is_cancel_requested:
                self.follow([])
                goal.canceled()
                self.say('canceled')
                return NavigateToPose.Result()
            if self.current is not goal:
                goal.abort()
                self.say('replaced')
                return NavigateToPose.Result()
            end = target.pose.position
            left = math.hypot(self.at.x - end.x, self.at.y - end.y)
            if left < 1.0:
                self.follow([])
                goal.succeed()
                self.say('succeeded')
                return NavigateToPose.Result()
            begin = PoseStamped(header=target.header)
            begin.pose.position = self.at
            self.follow([begin, target])
            feedback = NavigateToPose.Feedback()
            feedback.distance_remaining = left
            goal.publish_feedback(feedback)
            time.sleep(0.1)
        return NavigateToPose.Result()

    def follow(self, poses):
        path = Path(poses=poses)
        path.header.frame_id = 'map'
        self.plan.publish(path)


rclpy.init()
node = Navigator()
executor = MultiThreadedExecutor(4)
executor.add_node(node)
try:
    executor.spin()
except (KeyboardInterrupt, ExternalShutdownException):
    pass
finally:
    rclpy.try_shutdown()
