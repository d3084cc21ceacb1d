;; Inner products of one vector with many (WebAssembly SIMD).
;; Its memory begins with what VectorMemory lays out; rows lie anywhere behind that.
(module
  (memory (export "memory") 2)

  ;; $pointers: where $count vectors begin, 32 bits each; $asked: the vector to multiply with.
  ;; $bytes: the length of every vector, a multiple of 64; $scores: where $count products go, 32 bits each.
  (func (export "multiply")
    (param $pointers i32) (param $count i32) (param $asked i32) (param $bytes i32) (param $scores i32)
    (local $last i32) (local $row i32) (local $end i32) (local $at i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local.set $last (i32.add (local.get $pointers) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $rows
        (br_if $done (i32.ge_u (local.get $pointers) (local.get $last)))
        (local.set $row (i32.load (local.get $pointers)))
        (local.set $end (i32.add (local.get $row) (local.get $bytes)))
        (local.set $at (local.get $asked))
        ;; Four sums of four values each, so that no addition waits for the one before.
        (local.set $a (v128.const f32x4 0 0 0 0))
        (local.set $b (v128.const f32x4 0 0 0 0))
        (local.set $c (v128.const f32x4 0 0 0 0))
        (local.set $d (v128.const f32x4 0 0 0 0))
        (loop $values
          (local.set $a (f32x4.add (local.get $a)
            (f32x4.mul (v128.load (local.get $row)) (v128.load (local.get $at)))))
          (local.set $b (f32x4.add (local.get $b)
            (f32x4.mul (v128.load offset=16 (local.get $row)) (v128.load offset=16 (local.get $at)))))
          (local.set $c (f32x4.add (local.get $c)
            (f32x4.mul (v128.load offset=32 (local.get $row)) (v128.load offset=32 (local.get $at)))))
          (local.set $d (f32x4.add (local.get $d)
            (f32x4.mul (v128.load offset=48 (local.get $row)) (v128.load offset=48 (local.get $at)))))
          (local.set $row (i32.add (local.get $row) (i32.const 64)))
          (local.set $at (i32.add (local.get $at) (i32.const 64)))
          (br_if $values (i32.lt_u (local.get $row) (local.get $end))))
        (local.set $a (f32x4.add
          (f32x4.add (local.get $a) (local.get $b))
          (f32x4.add (local.get $c) (local.get $d))))
        (f32.store (local.get $scores)
          (f32.add
            (f32.add (f32x4.extract_lane 0 (local.get $a)) (f32x4.extract_lane 1 (local.get $a)))
            (f32.add (f32x4.extract_lane 2 (local.get $a)) (f32x4.extract_lane 3 (local.get $a)))))
        (local.set $scores (i32.add (local.get $scores) (i32.const 4)))
        (local.set $pointers (i32.add (local.get $pointers) (i32.const 4)))
        (br $rows))))

  ;; The same of small integers: values of 8 bits in rows, of 16 bits in $asked, and sums of 32 bits.
  ;; $bytes: the length of every row, a multiple of 32.
  (func (export "multiplyCodes")
    (param $pointers i32) (param $count i32) (param $asked i32) (param $bytes i32) (param $scores i32)
    (local $last i32) (local $row i32) (local $end i32) (local $at i32)
    (local $a v128) (local $b v128) (local $some v128) (local $more v128)
    (local.set $last (i32.add (local.get $pointers) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $rows
        (br_if $done (i32.ge_u (local.get $pointers) (local.get $last)))
        (local.set $row (i32.load (local.get $pointers)))
        (local.set $end (i32.add (local.get $row) (local.get $bytes)))
        (local.set $at (local.get $asked))
        (local.set $a (v128.const i32x4 0 0 0 0))
        (local.set $b (v128.const i32x4 0 0 0 0))
        (loop $values
          (local.set $some (v128.load (local.get $row)))
          (local.set $more (v128.load offset=16 (local.get $row)))
          (local.set $a (i32x4.add (local.get $a) (i32x4.dot_i16x8_s
            (i16x8.extend_low_i8x16_s (local.get $some)) (v128.load (local.get $at)))))
          (local.set $b (i32x4.add (local.get $b) (i32x4.dot_i16x8_s
            (i16x8.extend_high_i8x16_s (local.get $some)) (v128.load offset=16 (local.get $at)))))
          (local.set $a (i32x4.add (local.get $a) (i32x4.dot_i16x8_s
            (i16x8.extend_low_i8x16_s (local.get $more)) (v128.load offset=32 (local.get $at)))))
          (local.set $b (i32x4.add (local.get $b) (i32x4.dot_i16x8_s
            (i16x8.extend_high_i8x16_s (local.get $more)) (v128.load offset=48 (local.get $at)))))
          (local.set $row (i32.add (local.get $row) (i32.const 32)))
          (local.set $at (i32.add (local.get $at) (i32.const 64)))
          (br_if $values (i32.lt_u (local.get $row) (local.get $end))))
        (local.set $a (i32x4.add (local.get $a) (local.get $b)))
        (i32.store (local.get $scores)
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $a)) (i32x4.extract_lane 1 (local.get $a)))
            (i32.add (i32x4.extract_lane 2 (local.get $a)) (i32x4.extract_lane 3 (local.get $a)))))
        (local.set $scores (i32.add (local.get $scores) (i32.const 4)))
        (local.set $pointers (i32.add (local.get $pointers) (i32.const 4)))
        (br $rows))))

  ;; What the sketches of vectors say of their products with one vector: 32 vectors in a block, of which every 16 bytes are
  ;; of one pair of values; their low halves are of the first 16 vectors, their high halves of the others.
  ;; $pointers: where $count blocks begin; $tables: for each pair 16 summands of 8 bits, by what a half byte may be.
  ;; $bytes: the length of every block, and of the tables; $sums: where 32 sums of 16 bits go for each block.
  (func (export "sumSketches")
    (param $pointers i32) (param $count i32) (param $tables i32) (param $bytes i32) (param $sums i32)
    (local $last i32) (local $at i32) (local $end i32) (local $table i32)
    (local $codes v128) (local $summands v128) (local $some v128)
    (local $low v128) (local $lowOdd v128) (local $high v128) (local $highOdd v128)
    (local.set $last (i32.add (local.get $pointers) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $blocks
        (br_if $done (i32.ge_u (local.get $pointers) (local.get $last)))
        (local.set $at (i32.load (local.get $pointers)))
        (local.set $end (i32.add (local.get $at) (local.get $bytes)))
        (local.set $table (local.get $tables))
        (local.set $low (v128.const i16x8 0 0 0 0 0 0 0 0))
        (local.set $lowOdd (v128.const i16x8 0 0 0 0 0 0 0 0))
        (local.set $high (v128.const i16x8 0 0 0 0 0 0 0 0))
        (local.set $highOdd (v128.const i16x8 0 0 0 0 0 0 0 0))
        (loop $pairs
          (local.set $codes (v128.load (local.get $at)))
          (local.set $summands (v128.load (local.get $table)))
          ;; Summands of 8 bits are added as pairs of 16: the odd ones alone too, to be taken off again in the end.
          (local.set $some (i8x16.swizzle (local.get $summands)
            (v128.and (local.get $codes) (v128.const i32x4 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f))))
          (local.set $low (i16x8.add (local.get $low) (local.get $some)))
          (local.set $lowOdd (i16x8.add (local.get $lowOdd) (i16x8.shr_u (local.get $some) (i32.const 8))))
          (local.set $some (i8x16.swizzle (local.get $summands)
            (v128.and (i16x8.shr_u (local.get $codes) (i32.const 4))
              (v128.const i32x4 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f))))
          (local.set $high (i16x8.add (local.get $high) (local.get $some)))
          (local.set $highOdd (i16x8.add (local.get $highOdd) (i16x8.shr_u (local.get $some) (i32.const 8))))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (local.set $table (i32.add (local.get $table) (i32.const 16)))
          (br_if $pairs (i32.lt_u (local.get $at) (local.get $end))))
        (local.set $low (i16x8.sub (local.get $low) (i16x8.shl (local.get $lowOdd) (i32.const 8))))
        (local.set $high (i16x8.sub (local.get $high) (i16x8.shl (local.get $highOdd) (i32.const 8))))
        (v128.store (local.get $sums)
          (i8x16.shuffle 0 1 16 17 2 3 18 19 4 5 20 21 6 7 22 23 (local.get $low) (local.get $lowOdd)))
        (v128.store offset=16 (local.get $sums)
          (i8x16.shuffle 8 9 24 25 10 11 26 27 12 13 28 29 14 15 30 31 (local.get $low) (local.get $lowOdd)))
        (v128.store offset=32 (local.get $sums)
          (i8x16.shuffle 0 1 16 17 2 3 18 19 4 5 20 21 6 7 22 23 (local.get $high) (local.get $highOdd)))
        (v128.store offset=48 (local.get $sums)
          (i8x16.shuffle 8 9 24 25 10 11 26 27 12 13 28 29 14 15 30 31 (local.get $high) (local.get $highOdd)))
        (local.set $sums (i32.add (local.get $sums) (i32.const 64)))
        (local.set $pointers (i32.add (local.get $pointers) (i32.const 4)))
        (br $blocks)))))
