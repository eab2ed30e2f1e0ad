/** Texts that differ in little: shared lines, both line ends, bytes that are not UTF-8, with and without an end of the last line. */
import fc from 'fast-check'

const words = ['a', 'b', 'c', 'd', '', ' ', '-', '+x', '@@ -1 +1 @@', '\\ No newline', '\u00ff', 'diff --git a/x b/x']

export const anyText: fc.Arbitrary<Buffer> = fc
  .tuple(
    fc.array(fc.tuple(fc.constantFrom(...words), fc.constantFrom('\n', '\n', '\r\n')), { maxLength: 25 }),
    fc.boolean(),
  )
  .map(([lines, ended]) => {
    const whole = Buffer.from(lines.map(each => each.join('')).join(''), 'latin1')
    return ended ? whole : whole.subarray(0, Math.max(0, whole.length - 1))
  })
