package convert

import (
	"errors"
	"math"
	"testing"

	"ugp_explorer/msgs/sensor_msgs"
)

func TestNavSatFixRoundTrip(t *testing.T) {
	want := [2][2]float64{{4, -1}, {-1, 9}}
	var m sensor_msgs.NavSatFix
	NavSatFix(&m, -71.25, 42.5, want, sensor_msgs.NavSatStatusStatusGbasFix)
	if !math.IsNaN(m.Altitude) || m.Status.Status != 2 || m.PositionCovariance[1] != -1 || m.PositionCovariance[4] != 9 {
		t.Errorf("%+v", m)
	}
	lon, lat, cov, err := SatellitePosition(&m)
	if lon != -71.25 || lat != 42.5 || cov != want || err != nil {
		t.Errorf("(%v, %v), %v, %v", lon, lat, cov, err)
	}
	m.Status.Status = sensor_msgs.NavSatStatusStatusNoFix
	if _, _, _, err := SatellitePosition(&m); !errors.Is(err, ErrNoFix) {
		t.Errorf("error %v", err)
	}
}

func TestYawRateRoundTrip(t *testing.T) {
	var m sensor_msgs.Imu
	YawRate(&m, -0.25, 1e-4)
	if rate, variance, err := ImuYawRate(&m); rate != -0.25 || variance != 1e-4 || err != nil {
		t.Errorf("%v, %v, %v", rate, variance, err)
	}
	if _, _, err := ImuYaw(&m); !errors.Is(err, ErrNoOrientation) {
		t.Errorf("error %v", err)
	}
	m.Orientation, m.OrientationCovariance = Quaternion(2), [9]float64{8: 0.04}
	if yaw, variance, err := ImuYaw(&m); math.Abs(yaw-2) > 1e-12 || variance != 0.04 || err != nil {
		t.Errorf("%v, %v, %v", yaw, variance, err)
	}
	m.AngularVelocityCovariance[0] = -1
	if _, _, err := ImuYawRate(&m); !errors.Is(err, ErrNoYawRate) {
		t.Errorf("error %v", err)
	}
}
