;; Inner products of one vector with many (WebAssembly SIMD).
;; The memory begins with the area that VectorMemory lays out; rows lie anywhere after it.
(module
  (memory (export "memory") 2)

  ;; $pointers: the addresses of $count vectors, 32 bits each; $asked: the vector to multiply by.
  ;; $bytes: the length of each vector, a multiple of 64; $scores: receives $count products, 32 bits each.
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
        ;; Four sums of four values each, so that no addition has to wait for the previous one.
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

  ;; The same for small integers: values of 8 bits in rows, of 16 bits in $asked, and sums of 32 bits.
  ;; $bytes: the length of each row, a multiple of 32.
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

  ;; Products of one vector with the coarse halves of sketches. A block has 32 sketches: every 16 bytes hold
  ;; one pair of values, their low halves for the first 16 sketches, their high halves for the others. The 32
  ;; scales follow, 32 bits each. Only blocks with a product above $threshold are reported.
  ;; $pointers: the addresses of $count blocks; $tables: for each pair 16 summands of 8 bits, one for each value
  ;; of a nibble; $bytes: the length of the tables, and of a block without its scales. A sum, times $step, plus
  ;; $offset, is multiplied by the sketch's scale.
  ;; $told: receives the numbers of the reported blocks, 32 bits each; $products: their products, 32 times 32
  ;; bits each. Returns how many blocks are reported.
  (func (export "sumSketches")
    (param $pointers i32) (param $count i32) (param $tables i32) (param $bytes i32)
    (param $step f32) (param $offset f32) (param $threshold f32) (param $told i32) (param $products i32)
    (result i32)
    (local $nth i32) (local $found i32) (local $at i32) (local $end i32) (local $table i32) (local $group i32)
    (local $codes v128) (local $summands v128) (local $some v128) (local $above v128)
    (local $low v128) (local $lowOdd v128) (local $high v128) (local $highOdd v128)
    (block $done
      (loop $blocks
        (br_if $done (i32.ge_u (local.get $nth) (local.get $count)))
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
          ;; Summands of 8 bits are added in pairs, as 16-bit numbers. The odd ones are also summed alone, to be
          ;; subtracted at the end.
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
        ;; Puts the sums in order into the second half of the room for the block's products; each group is read
        ;; before it is overwritten.
        (v128.store offset=64 (local.get $products)
          (i8x16.shuffle 0 1 16 17 2 3 18 19 4 5 20 21 6 7 22 23 (local.get $low) (local.get $lowOdd)))
        (v128.store offset=80 (local.get $products)
          (i8x16.shuffle 8 9 24 25 10 11 26 27 12 13 28 29 14 15 30 31 (local.get $low) (local.get $lowOdd)))
        (v128.store offset=96 (local.get $products)
          (i8x16.shuffle 0 1 16 17 2 3 18 19 4 5 20 21 6 7 22 23 (local.get $high) (local.get $highOdd)))
        (v128.store offset=112 (local.get $products)
          (i8x16.shuffle 8 9 24 25 10 11 26 27 12 13 28 29 14 15 30 31 (local.get $high) (local.get $highOdd)))
        (local.set $above (v128.const i32x4 0 0 0 0))
        (local.set $group (i32.const 0))
        ;; Eight groups of four; $at is the address of their scales.
        (loop $groups
          (local.set $some (f32x4.mul
            (v128.load (i32.add (local.get $at) (i32.shl (local.get $group) (i32.const 4))))
            (f32x4.add (f32x4.splat (local.get $offset))
              (f32x4.mul (f32x4.splat (local.get $step))
                (f32x4.convert_i32x4_u (v128.load16x4_u offset=64
                  (i32.add (local.get $products) (i32.shl (local.get $group) (i32.const 3)))))))))
          (local.set $above (v128.or (local.get $above)
            (f32x4.gt (local.get $some) (f32x4.splat (local.get $threshold)))))
          (v128.store (i32.add (local.get $products) (i32.shl (local.get $group) (i32.const 4))) (local.get $some))
          (local.set $group (i32.add (local.get $group) (i32.const 1)))
          (br_if $groups (i32.lt_u (local.get $group) (i32.const 8))))
        (if (v128.any_true (local.get $above))
          (then
            (i32.store (i32.add (local.get $told) (i32.shl (local.get $found) (i32.const 2))) (local.get $nth))
            (local.set $found (i32.add (local.get $found) (i32.const 1)))
            (local.set $products (i32.add (local.get $products) (i32.const 128)))))
        (local.set $nth (i32.add (local.get $nth) (i32.const 1)))
        (local.set $pointers (i32.add (local.get $pointers) (i32.const 4)))
        (br $blocks)))
    (local.get $found)))
