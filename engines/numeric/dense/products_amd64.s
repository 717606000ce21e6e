#include "textflag.h"

// Each lane is one sum of a tile, in order of the rows.
// STEP adds the products of one entry of a with eight of b, in Y8 and Y9, to a row of the tile.
#define STEP(place, low, high) \
	VBROADCASTSD place(AX), Y10 \
	VMULPD       Y8, Y10, Y11   \
	VMULPD       Y9, Y10, Y12   \
	VADDPD       Y11, low, low  \
	VADDPD       Y12, high, high

// LOAD and STORE move four rows of a tile.
#define LOAD \
	VMOVUPD (DI), Y0    \
	VMOVUPD 32(DI), Y1  \
	VMOVUPD 64(DI), Y2  \
	VMOVUPD 96(DI), Y3  \
	VMOVUPD 128(DI), Y4 \
	VMOVUPD 160(DI), Y5 \
	VMOVUPD 192(DI), Y6 \
	VMOVUPD 224(DI), Y7

#define STORE \
	VMOVUPD Y0, (DI)    \
	VMOVUPD Y1, 32(DI)  \
	VMOVUPD Y2, 64(DI)  \
	VMOVUPD Y3, 96(DI)  \
	VMOVUPD Y4, 128(DI) \
	VMOVUPD Y5, 160(DI) \
	VMOVUPD Y6, 192(DI) \
	VMOVUPD Y7, 224(DI)

// FOUR adds the products of four entries of a.
#define FOUR \
	STEP(0, Y0, Y1)  \
	STEP(8, Y2, Y3)  \
	STEP(16, Y4, Y5) \
	STEP(24, Y6, Y7)

// func tileVector(t *tile, a, b *float64, rows int)
TEXT ·tileVector(SB), NOSPLIT, $0-32
	MOVQ t+0(FP), DI
	MOVQ $2, R9
half:
	MOVQ a+8(FP), AX
	MOVQ b+16(FP), BX
	MOVQ rows+24(FP), R8
	CMPQ R9, $2
	JEQ  first
	ADDQ $32, AX
first:
	LOAD
row:
	VMOVUPD (BX), Y8
	VMOVUPD 32(BX), Y9
	FOUR
	ADDQ $64, AX
	ADDQ $64, BX
	DECQ R8
	JNZ  row
	STORE
	ADDQ $256, DI
	DECQ R9
	JNZ  half
	VZEROUPPER
	RET

// func weightedTileVector(t *tile, a, b, w *float64, rows int)
TEXT ·weightedTileVector(SB), NOSPLIT, $0-40
	MOVQ t+0(FP), DI
	MOVQ $2, R9
half:
	MOVQ a+8(FP), AX
	MOVQ b+16(FP), BX
	MOVQ w+24(FP), CX
	MOVQ rows+32(FP), R8
	CMPQ R9, $2
	JEQ  first
	ADDQ $32, AX
first:
	LOAD
row:
	VMOVUPD (BX), Y8
	VMOVUPD 32(BX), Y9
	VBROADCASTSD (CX), Y10
	VMULPD Y10, Y8, Y8
	VMULPD Y10, Y9, Y9
	ADDQ $8, CX
	FOUR
	ADDQ $64, AX
	ADDQ $64, BX
	DECQ R8
	JNZ  row
	STORE
	ADDQ $256, DI
	DECQ R9
	JNZ  half
	VZEROUPPER
	RET

// LOADWIDE and STOREWIDE move a tile.
#define LOADWIDE \
	VMOVUPD 0(DI), Z0 \
	VMOVUPD 64(DI), Z1 \
	VMOVUPD 128(DI), Z2 \
	VMOVUPD 192(DI), Z3 \
	VMOVUPD 256(DI), Z4 \
	VMOVUPD 320(DI), Z5 \
	VMOVUPD 384(DI), Z6 \
	VMOVUPD 448(DI), Z7

#define STOREWIDE \
	VMOVUPD Z0, 0(DI) \
	VMOVUPD Z1, 64(DI) \
	VMOVUPD Z2, 128(DI) \
	VMOVUPD Z3, 192(DI) \
	VMOVUPD Z4, 256(DI) \
	VMOVUPD Z5, 320(DI) \
	VMOVUPD Z6, 384(DI) \
	VMOVUPD Z7, 448(DI)

// EIGHT adds the products of eight entries of a with eight of b, in Z8.
#define EIGHT \
	VMULPD.BCST 0(AX), Z8, Z9 \
	VMULPD.BCST 8(AX), Z8, Z10 \
	VMULPD.BCST 16(AX), Z8, Z11 \
	VMULPD.BCST 24(AX), Z8, Z12 \
	VMULPD.BCST 32(AX), Z8, Z13 \
	VMULPD.BCST 40(AX), Z8, Z14 \
	VMULPD.BCST 48(AX), Z8, Z15 \
	VMULPD.BCST 56(AX), Z8, Z16 \
	VADDPD Z9, Z0, Z0 \
	VADDPD Z10, Z1, Z1 \
	VADDPD Z11, Z2, Z2 \
	VADDPD Z12, Z3, Z3 \
	VADDPD Z13, Z4, Z4 \
	VADDPD Z14, Z5, Z5 \
	VADDPD Z15, Z6, Z6 \
	VADDPD Z16, Z7, Z7

// func tileWide(t *tile, a, b *float64, rows int)
TEXT ·tileWide(SB), NOSPLIT, $0-32
	MOVQ t+0(FP), DI
	MOVQ a+8(FP), AX
	MOVQ b+16(FP), BX
	MOVQ rows+24(FP), R8
	LOADWIDE
row:
	VMOVUPD (BX), Z8
	EIGHT
	ADDQ $64, AX
	ADDQ $64, BX
	DECQ R8
	JNZ  row
	STOREWIDE
	VZEROUPPER
	RET

// func weightedTileWide(t *tile, a, b, w *float64, rows int)
TEXT ·weightedTileWide(SB), NOSPLIT, $0-40
	MOVQ t+0(FP), DI
	MOVQ a+8(FP), AX
	MOVQ b+16(FP), BX
	MOVQ w+24(FP), CX
	MOVQ rows+32(FP), R8
	LOADWIDE
row:
	VMOVUPD (BX), Z8
	VMULPD.BCST (CX), Z8, Z8
	ADDQ $8, CX
	EIGHT
	ADDQ $64, AX
	ADDQ $64, BX
	DECQ R8
	JNZ  row
	STOREWIDE
	VZEROUPPER
	RET
