// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

#include "textflag.h"

// func expNegFours(h *float64, n int, table *[expSteps]float64, c *[11]float64)
// Y5 to Y15 are the constants at c. Each step is that of ExpNeg, on four numbers: Y0 is h, Y1 is -h and then r, Y2 is k and then s.
TEXT ·expNegFours(SB), NOSPLIT, $0-32
	MOVQ h+0(FP), DI
	MOVQ n+8(FP), CX
	MOVQ table+16(FP), SI
	MOVQ c+24(FP), DX
	VBROADCASTSD (DX), Y5    // expCutoff
	VBROADCASTSD 8(DX), Y6   // -0
	VBROADCASTSD 16(DX), Y7  // expSteps/log 2
	VBROADCASTSD 24(DX), Y8  // expShift
	VBROADCASTSD 32(DX), Y9  // expStepHigh
	VBROADCASTSD 40(DX), Y10 // expStepLow
	VBROADCASTSD 48(DX), Y11 // 1/2
	VBROADCASTSD 56(DX), Y12 // 1/6
	VBROADCASTSD 64(DX), Y13 // 1/24
	VBROADCASTSD 72(DX), Y14 // 1/120
	VBROADCASTSD 80(DX), Y15 // expSteps-1 as an integer

loop:
	VMOVUPD (DI), Y0
	VXORPD Y6, Y0, Y1
	VMULPD Y7, Y1, Y2
	VADDPD Y8, Y2, Y2
	VPAND Y15, Y2, Y3
	VMOVQ X3, R8
	VPEXTRQ $1, X3, R9
	VEXTRACTI128 $1, Y3, X3
	VMOVQ X3, R10
	VPEXTRQ $1, X3, R11
	VMOVSD (SI)(R8*8), X3
	VMOVHPD (SI)(R9*8), X3, X3
	VMOVSD (SI)(R10*8), X4
	VMOVHPD (SI)(R11*8), X4, X4
	VINSERTF128 $1, X4, Y3, Y3
	VSUBPD Y8, Y2, Y4        // k
	VPSRLQ $7, Y2, Y2
	VPSLLQ $52, Y2, Y2
	VPADDQ Y3, Y2, Y2        // s
	VMULPD Y9, Y4, Y3
	VSUBPD Y3, Y1, Y1
	VMULPD Y10, Y4, Y3
	VSUBPD Y3, Y1, Y1        // r
	VMULPD Y1, Y1, Y3        // r²
	VMULPD Y12, Y1, Y4
	VADDPD Y11, Y4, Y4
	VMULPD Y3, Y4, Y4
	VADDPD Y1, Y4, Y4
	VMULPD Y3, Y3, Y3
	VMULPD Y14, Y1, Y1
	VADDPD Y13, Y1, Y1
	VMULPD Y3, Y1, Y1
	VADDPD Y1, Y4, Y4        // p
	VMULPD Y2, Y4, Y4
	VADDPD Y4, Y2, Y2
	VCMPPD $30, Y5, Y0, Y0   // h > expCutoff
	VANDNPD Y2, Y0, Y2
	VMOVUPD Y2, (DI)
	ADDQ $32, DI
	SUBQ $4, CX
	JNZ loop
	VZEROUPPER
	RET
