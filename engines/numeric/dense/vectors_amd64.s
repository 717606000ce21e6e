#include "textflag.h"

// The lanes of a vector are the four sums of dotPlain. What is left after whole vectors goes to the first lane; the others add a
// zero, which changes none of them: a sum that begins at +0 never is -0.

// func dotVector(a, b *float64, n int) float64
TEXT ·dotVector(SB), NOSPLIT, $0-32
	MOVQ   a+0(FP), AX
	MOVQ   b+8(FP), SI
	MOVQ   n+16(FP), DI
	XORQ   R9, R9
	VXORPD Y0, Y0, Y0
	MOVQ   DI, R10
	SHRQ   $2, R10
	JZ     rest
four:
	VMOVUPD (SI)(R9*1), Y4
	VMULPD  (AX)(R9*1), Y4, Y5
	VADDPD  Y5, Y0, Y0
	ADDQ    $32, R9
	DECQ    R10
	JNZ     four
rest:
	ANDQ $3, DI
	JZ   sum
one:
	VMOVSD (SI)(R9*1), X4
	VMOVSD (AX)(R9*1), X5
	VMULPD Y4, Y5, Y5
	VADDPD Y5, Y0, Y0
	ADDQ   $8, R9
	DECQ   DI
	JNZ    one
sum:
	VHADDPD      Y0, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDSD       X1, X0, X0
	VMOVSD       X0, ret+24(FP)
	VZEROUPPER
	RET

// func dotsVector(a, b, c, d, w *float64, n int, dst *[4]float64)
TEXT ·dotsVector(SB), NOSPLIT, $0-56
	MOVQ   a+0(FP), AX
	MOVQ   b+8(FP), BX
	MOVQ   c+16(FP), CX
	MOVQ   d+24(FP), DX
	MOVQ   w+32(FP), SI
	MOVQ   n+40(FP), DI
	MOVQ   dst+48(FP), R8
	XORQ   R9, R9
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	MOVQ   DI, R10
	SHRQ   $2, R10
	JZ     rest
four:
	VMOVUPD (SI)(R9*1), Y4
	VMULPD  (AX)(R9*1), Y4, Y5
	VMULPD  (BX)(R9*1), Y4, Y6
	VMULPD  (CX)(R9*1), Y4, Y7
	VMULPD  (DX)(R9*1), Y4, Y8
	VADDPD  Y5, Y0, Y0
	VADDPD  Y6, Y1, Y1
	VADDPD  Y7, Y2, Y2
	VADDPD  Y8, Y3, Y3
	ADDQ    $32, R9
	DECQ    R10
	JNZ     four
rest:
	ANDQ $3, DI
	JZ   sum
one:
	VMOVSD (SI)(R9*1), X4
	VMOVSD (AX)(R9*1), X5
	VMOVSD (BX)(R9*1), X6
	VMOVSD (CX)(R9*1), X7
	VMOVSD (DX)(R9*1), X8
	VMULPD Y4, Y5, Y5
	VMULPD Y4, Y6, Y6
	VMULPD Y4, Y7, Y7
	VMULPD Y4, Y8, Y8
	VADDPD Y5, Y0, Y0
	VADDPD Y6, Y1, Y1
	VADDPD Y7, Y2, Y2
	VADDPD Y8, Y3, Y3
	ADDQ   $8, R9
	DECQ   DI
	JNZ    one
sum:
	VHADDPD    Y1, Y0, Y0      // a0+a1, b0+b1, a2+a3, b2+b3
	VHADDPD    Y3, Y2, Y2      // of c and d
	VPERM2F128 $0x20, Y2, Y0, Y1
	VPERM2F128 $0x31, Y2, Y0, Y3
	VADDPD     Y3, Y1, Y1
	VMOVUPD    Y1, (R8)
	VZEROUPPER
	RET

// func addToVector(dst, x *float64, n int, a float64)
TEXT ·addToVector(SB), NOSPLIT, $0-32
	MOVQ         dst+0(FP), AX
	MOVQ         x+8(FP), SI
	MOVQ         n+16(FP), DI
	VBROADCASTSD a+24(FP), Y0
	MOVQ         DI, R10
	SHRQ         $4, R10
	JZ           fours
sixteen:
	VMULPD  (SI), Y0, Y1
	VMULPD  32(SI), Y0, Y2
	VMULPD  64(SI), Y0, Y3
	VMULPD  96(SI), Y0, Y4
	VADDPD  (AX), Y1, Y1
	VADDPD  32(AX), Y2, Y2
	VADDPD  64(AX), Y3, Y3
	VADDPD  96(AX), Y4, Y4
	VMOVUPD Y1, (AX)
	VMOVUPD Y2, 32(AX)
	VMOVUPD Y3, 64(AX)
	VMOVUPD Y4, 96(AX)
	ADDQ    $128, SI
	ADDQ    $128, AX
	DECQ    R10
	JNZ     sixteen
fours:
	ANDQ $15, DI
	MOVQ DI, R10
	SHRQ $2, R10
	JZ   ones
four:
	VMULPD  (SI), Y0, Y1
	VADDPD  (AX), Y1, Y1
	VMOVUPD Y1, (AX)
	ADDQ    $32, SI
	ADDQ    $32, AX
	DECQ    R10
	JNZ     four
ones:
	ANDQ $3, DI
	JZ   done
one:
	VMULSD (SI), X0, X1
	VADDSD (AX), X1, X1
	VMOVSD X1, (AX)
	ADDQ   $8, SI
	ADDQ   $8, AX
	DECQ   DI
	JNZ    one
done:
	VZEROUPPER
	RET

// func addProductsToVector(dst, x, y *float64, n int, a float64)
TEXT ·addProductsToVector(SB), NOSPLIT, $0-40
	MOVQ         dst+0(FP), AX
	MOVQ         x+8(FP), SI
	MOVQ         y+16(FP), BX
	MOVQ         n+24(FP), DI
	VBROADCASTSD a+32(FP), Y0
	MOVQ         DI, R10
	SHRQ         $3, R10
	JZ           fours
eight:
	VMULPD  (SI), Y0, Y1
	VMULPD  32(SI), Y0, Y2
	VMULPD  (BX), Y1, Y1
	VMULPD  32(BX), Y2, Y2
	VADDPD  (AX), Y1, Y1
	VADDPD  32(AX), Y2, Y2
	VMOVUPD Y1, (AX)
	VMOVUPD Y2, 32(AX)
	ADDQ    $64, SI
	ADDQ    $64, BX
	ADDQ    $64, AX
	DECQ    R10
	JNZ     eight
fours:
	TESTQ $4, DI
	JZ    ones
	VMULPD  (SI), Y0, Y1
	VMULPD  (BX), Y1, Y1
	VADDPD  (AX), Y1, Y1
	VMOVUPD Y1, (AX)
	ADDQ    $32, SI
	ADDQ    $32, BX
	ADDQ    $32, AX
ones:
	ANDQ $3, DI
	JZ   done
one:
	VMULSD (SI), X0, X1
	VMULSD (BX), X1, X1
	VADDSD (AX), X1, X1
	VMOVSD X1, (AX)
	ADDQ   $8, SI
	ADDQ   $8, BX
	ADDQ   $8, AX
	DECQ   DI
	JNZ    one
done:
	VZEROUPPER
	RET

// func dot16Vector(dst, x, v *float64, rows, k int)
TEXT ·dot16Vector(SB), NOSPLIT, $0-40
	MOVQ   dst+0(FP), AX
	MOVQ   x+8(FP), SI
	MOVQ   v+16(FP), BX
	MOVQ   rows+24(FP), DI
	MOVQ   k+32(FP), R8
	SHLQ   $3, R8
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
row16:
	VBROADCASTSD (SI), Y8
	VMULPD       (BX), Y8, Y4
	VMULPD       32(BX), Y8, Y5
	VMULPD       64(BX), Y8, Y6
	VMULPD       96(BX), Y8, Y7
	VADDPD       Y4, Y0, Y0
	VADDPD       Y5, Y1, Y1
	VADDPD       Y6, Y2, Y2
	VADDPD       Y7, Y3, Y3
	ADDQ         $8, SI
	ADDQ         R8, BX
	DECQ         DI
	JNZ          row16
	VMOVUPD      Y0, (AX)
	VMOVUPD      Y1, 32(AX)
	VMOVUPD      Y2, 64(AX)
	VMOVUPD      Y3, 96(AX)
	VZEROUPPER
	RET

// func dot4Vector(dst, x, v *float64, rows, k int)
TEXT ·dot4Vector(SB), NOSPLIT, $0-40
	MOVQ   dst+0(FP), AX
	MOVQ   x+8(FP), SI
	MOVQ   v+16(FP), BX
	MOVQ   rows+24(FP), DI
	MOVQ   k+32(FP), R8
	SHLQ   $3, R8
	VXORPD Y0, Y0, Y0
row4:
	VBROADCASTSD (SI), Y8
	VMULPD       (BX), Y8, Y4
	VADDPD       Y4, Y0, Y0
	ADDQ         $8, SI
	ADDQ         R8, BX
	DECQ         DI
	JNZ          row4
	VMOVUPD      Y0, (AX)
	VZEROUPPER
	RET

// func dotDifferenceVector(x, w, a, b *float64, n int) float64
TEXT ·dotDifferenceVector(SB), NOSPLIT, $0-48
	MOVQ   x+0(FP), AX
	MOVQ   w+8(FP), SI
	MOVQ   a+16(FP), BX
	MOVQ   b+24(FP), CX
	MOVQ   n+32(FP), DI
	XORQ   R9, R9
	VXORPD Y0, Y0, Y0
	MOVQ   DI, R10
	SHRQ   $2, R10
	JZ     rest
four:
	VMOVUPD (AX)(R9*1), Y4
	VMULPD  (SI)(R9*1), Y4, Y4
	VMOVUPD (BX)(R9*1), Y5
	VSUBPD  (CX)(R9*1), Y5, Y5
	VMULPD  Y5, Y4, Y4
	VADDPD  Y4, Y0, Y0
	ADDQ    $32, R9
	DECQ    R10
	JNZ     four
rest:
	ANDQ $3, DI
	JZ   sum
one:
	VMOVSD (AX)(R9*1), X4
	VMOVSD (SI)(R9*1), X6
	VMULPD Y6, Y4, Y4
	VMOVSD (BX)(R9*1), X5
	VMOVSD (CX)(R9*1), X6
	VSUBPD Y6, Y5, Y5
	VMULPD Y5, Y4, Y4
	VADDPD Y4, Y0, Y0
	ADDQ   $8, R9
	DECQ   DI
	JNZ    one
sum:
	VHADDPD      Y0, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDSD       X1, X0, X0
	VMOVSD       X0, ret+40(FP)
	VZEROUPPER
	RET

// func add16Vector(v, x, d *float64, rows, k int)
TEXT ·add16Vector(SB), NOSPLIT, $0-40
	MOVQ    v+0(FP), BX
	MOVQ    x+8(FP), SI
	MOVQ    d+16(FP), AX
	MOVQ    rows+24(FP), DI
	MOVQ    k+32(FP), R8
	SHLQ    $3, R8
	VMOVUPD (AX), Y0
	VMOVUPD 32(AX), Y1
	VMOVUPD 64(AX), Y2
	VMOVUPD 96(AX), Y3
row16:
	VBROADCASTSD (SI), Y8
	VMULPD       Y0, Y8, Y4
	VMULPD       Y1, Y8, Y5
	VMULPD       Y2, Y8, Y6
	VMULPD       Y3, Y8, Y7
	VADDPD       (BX), Y4, Y4
	VADDPD       32(BX), Y5, Y5
	VADDPD       64(BX), Y6, Y6
	VADDPD       96(BX), Y7, Y7
	VMOVUPD      Y4, (BX)
	VMOVUPD      Y5, 32(BX)
	VMOVUPD      Y6, 64(BX)
	VMOVUPD      Y7, 96(BX)
	ADDQ         $8, SI
	ADDQ         R8, BX
	DECQ         DI
	JNZ          row16
	VZEROUPPER
	RET

// func add4Vector(v, x, d *float64, rows, k int)
TEXT ·add4Vector(SB), NOSPLIT, $0-40
	MOVQ    v+0(FP), BX
	MOVQ    x+8(FP), SI
	MOVQ    d+16(FP), AX
	MOVQ    rows+24(FP), DI
	MOVQ    k+32(FP), R8
	SHLQ    $3, R8
	VMOVUPD (AX), Y0
row4:
	VBROADCASTSD (SI), Y8
	VMULPD       Y0, Y8, Y4
	VADDPD       (BX), Y4, Y4
	VMOVUPD      Y4, (BX)
	ADDQ         $8, SI
	ADDQ         R8, BX
	DECQ         DI
	JNZ          row4
	VZEROUPPER
	RET

// func addFourVector(dst, a, b, c, d *float64, n int)
TEXT ·addFourVector(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ a+8(FP), AX
	MOVQ b+16(FP), BX
	MOVQ c+24(FP), CX
	MOVQ d+32(FP), DX
	MOVQ n+40(FP), R10
	SHRQ $2, R10
	XORQ R9, R9
four:
	VMOVUPD (AX)(R9*1), Y0
	VMOVUPD (CX)(R9*1), Y1
	VADDPD  (BX)(R9*1), Y0, Y0
	VADDPD  (DX)(R9*1), Y1, Y1
	VADDPD  Y1, Y0, Y0
	VADDPD  (DI)(R9*1), Y0, Y0
	VMOVUPD Y0, (DI)(R9*1)
	ADDQ    $32, R9
	DECQ    R10
	JNZ     four
	VZEROUPPER
	RET

// func addTwoVector(dst, a, b *float64, n int, x, y float64)
TEXT ·addTwoVector(SB), NOSPLIT, $0-48
	MOVQ         dst+0(FP), DI
	MOVQ         a+8(FP), AX
	MOVQ         b+16(FP), BX
	MOVQ         n+24(FP), R10
	VBROADCASTSD x+32(FP), Y2
	VBROADCASTSD y+40(FP), Y3
	SHRQ         $2, R10
	XORQ         R9, R9
four:
	VMULPD  (AX)(R9*1), Y2, Y0
	VMULPD  (BX)(R9*1), Y3, Y1
	VADDPD  Y1, Y0, Y0
	VADDPD  (DI)(R9*1), Y0, Y0
	VMOVUPD Y0, (DI)(R9*1)
	ADDQ    $32, R9
	DECQ    R10
	JNZ     four
	VZEROUPPER
	RET

// func addCombinationVector(dst, a, b, c, d *float64, n int, w *[4]float64)
TEXT ·addCombinationVector(SB), NOSPLIT, $0-56
	MOVQ         dst+0(FP), DI
	MOVQ         a+8(FP), AX
	MOVQ         b+16(FP), BX
	MOVQ         c+24(FP), CX
	MOVQ         d+32(FP), DX
	MOVQ         n+40(FP), R10
	MOVQ         w+48(FP), SI
	VBROADCASTSD (SI), Y4
	VBROADCASTSD 8(SI), Y5
	VBROADCASTSD 16(SI), Y6
	VBROADCASTSD 24(SI), Y7
	SHRQ         $2, R10
	XORQ         R9, R9
four:
	VMULPD  (AX)(R9*1), Y4, Y0
	VMULPD  (BX)(R9*1), Y5, Y1
	VMULPD  (CX)(R9*1), Y6, Y2
	VMULPD  (DX)(R9*1), Y7, Y3
	VADDPD  (DI)(R9*1), Y0, Y0
	VADDPD  Y1, Y0, Y0
	VADDPD  Y2, Y0, Y0
	VADDPD  Y3, Y0, Y0
	VMOVUPD Y0, (DI)(R9*1)
	ADDQ    $32, R9
	DECQ    R10
	JNZ     four
	VZEROUPPER
	RET

// func takeShrunkVector(u, w, d *float64, n int, x, t float64)
TEXT ·takeShrunkVector(SB), NOSPLIT, $0-48
	MOVQ         u+0(FP), DI
	MOVQ         w+8(FP), SI
	MOVQ         d+16(FP), DX
	MOVQ         n+24(FP), R10
	VBROADCASTSD x+32(FP), Y2
	VBROADCASTSD t+40(FP), Y3
	VXORPD       Y4, Y4, Y4
	VSUBPD       Y3, Y4, Y4 // -t
	SHRQ         $2, R10
	XORQ         R9, R9
four:
	VMULPD  (DX)(R9*1), Y2, Y0
	VMOVUPD (DI)(R9*1), Y1
	VSUBPD  Y0, Y1, Y1
	VMOVUPD Y1, (DI)(R9*1)
	VMINPD  Y3, Y1, Y0
	VMAXPD  Y4, Y0, Y0
	VSUBPD  Y0, Y1, Y1
	VMOVUPD Y1, (SI)(R9*1)
	ADDQ    $32, R9
	DECQ    R10
	JNZ     four
	VZEROUPPER
	RET
