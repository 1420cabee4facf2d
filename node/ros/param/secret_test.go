// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package param_test

import (
	"fmt"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
	ri "ugp_explorer/msgs/rcl_interfaces"
	"ugp_explorer/node/ros/param"
)

// A secret sets its field, and nothing that the set tells has its value.
func TestSecret(t *testing.T) {
	const word, wrong = "open-sesame", "open-barley"
	token, pin := "", []float64{}
	set := param.NewSet()
	set.String(&token, "token", param.Secret(), param.Live(), param.OneOf("", word), param.Describe("a password"))
	set.Float64s(&pin, "pin", param.Secret(), param.Live(), param.Range(0, 9))
	var told []ri.Parameter
	set.Notify(func(changed []ri.Parameter) { told = append(told, changed...) })
	must.OK(t, set.Set(param.Assignment{Name: "token", Value: param.NewValue(word)}, param.Assignment{Name: "pin", Value: param.NewValue([]float64{1, 2})}))
	if token != word || len(pin) != 2 {
		t.Fatalf("the fields are %q and %v", token, pin)
	}
	if len(told) != 2 || told[0].Value.Type != ri.ParameterTypeParameterString || told[1].Value.Type != ri.ParameterTypeParameterDoubleArray {
		t.Errorf("told is %+v", told)
	}
	var values ri.GetParametersResponse
	set.GetParameters(&ri.GetParametersRequest{Names: []string{"token", "pin"}}, &values)
	if len(values.Values) != 2 || values.Values[0].Type != ri.ParameterTypeParameterString || len(values.Values[1].DoubleArrayValue) != 0 {
		t.Errorf("the values are %+v", values.Values)
	}
	var types ri.GetParameterTypesResponse
	set.GetParameterTypes(&ri.GetParameterTypesRequest{Names: []string{"token"}}, &types)
	if len(types.Types) != 1 || types.Types[0] != ri.ParameterTypeParameterString {
		t.Errorf("the types are %v", types.Types)
	}
	v, ok := set.Get("token")
	refused := []error{
		set.Set(param.Assignment{Name: "token", Value: param.NewValue(wrong)}),
		set.Set(param.Assignment{Name: "pin", Value: param.NewValue([]float64{77})}),
	}
	for _, err := range refused {
		if err == nil || !strings.Contains(err.Error(), "kept secret") {
			t.Errorf("a wrong value: %v", err)
		}
	}
	again := param.NewSet() // with the value as its default
	again.String(&token, "token", param.Secret())
	all := fmt.Sprintf("%+v %+v %+v %v %v %+v %v %v %+v %v", told, values, set.Messages(), v, ok, set.Rows()[1], set.YAML("node"), refused[1], again.Rows(), again.YAML("node"))
	for _, secret := range []string{word, wrong, "[1 2]", "[1, 2]", "77"} {
		if strings.Contains(all, secret) {
			t.Errorf("%q is told: %s", secret, all)
		}
	}
	token = wrong // by the program
	if err := set.Check(); err == nil || strings.Contains(err.Error(), wrong) {
		t.Errorf("Check: %v", err)
	}
}
