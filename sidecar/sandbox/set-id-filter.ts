/**
 * A filter of system calls under which no file gets a user- or group-id bit, nor (for root) capabilities: what a command
 * leaves behind must not run with more rights than its reader has. It answers with an error and never ends a process.
 */

interface Table {
  /** As the kernel names the architecture to a filter. */
  readonly arch: number
  /** Call -> which argument is the mode. */
  readonly modes: Readonly<Record<number, number>>
  /** Call -> which argument is the flags; the mode comes after it, and counts only where something may be created. */
  readonly opens: Readonly<Record<number, number>>
  /** Their arguments lie in memory, where a filter cannot look: callers fall back to the plain ones. */
  readonly unseen: readonly number[]
  readonly xattrs: readonly number[]
}

const OPENAT2 = 437
const IO_URING = [425, 426, 427]
const FCHMODAT2 = 452
const SETXATTRAT = 463

const tables: Partial<Record<string, Table>> = {
  x64: {
    arch: 0xc000003e,
    // chmod fchmod fchmodat creat mknod mknodat
    modes: { 90: 1, 91: 1, 268: 2, [FCHMODAT2]: 2, 85: 1, 133: 1, 259: 2 },
    // open openat
    opens: { 2: 1, 257: 2 },
    unseen: [OPENAT2, ...IO_URING],
    xattrs: [188, 189, 190, SETXATTRAT],
  },
  arm64: {
    arch: 0xc00000b7,
    modes: { 52: 1, 53: 2, [FCHMODAT2]: 2, 33: 2 },
    opens: { 56: 2 },
    unseen: [OPENAT2, ...IO_URING],
    xattrs: [5, 6, 7, SETXATTRAT],
  },
}

const LOAD = 0x20
const JUMP_EQUAL = 0x15
const JUMP_AT_LEAST = 0x35
const JUMP_ANY_BIT = 0x45
const RETURN = 0x06
const ALLOW = 0x7fff0000
const fail = (errno: number): Word => [RETURN, 0, 0, 0x00050000 | errno]
const EPERM = 1
const ENOSYS = 38
const EOPNOTSUPP = 95
const SET_ID_BITS = 0o6000
/** O_CREAT, and the bit of O_TMPFILE that is its own. */
const CREATES = 0o100 | 0o20000000
/** Calls of another word size have numbers of their own from here on. */
const FOREIGN_CALLS = 0x40000000

/** Code, jump if so, jump if not, operand. */
type Word = readonly [number, number, number, number]

/** In the form that bubblewrap reads; null on an architecture whose calls are not in the table. */
export function setIdFilter(arch: string, isRoot: boolean): Buffer | null {
  const table = tables[arch]
  if (!table) return null
  const words: Word[] = [
    load(4),
    [JUMP_EQUAL, 1, 0, table.arch],
    fail(ENOSYS),
    load(0),
    [JUMP_AT_LEAST, 0, 1, FOREIGN_CALLS],
    fail(ENOSYS),
    ...Object.entries(table.modes).flatMap(([call, argument]) => on(call, checkMode(argument))),
    ...Object.entries(table.opens).flatMap(([call, flags]) =>
      on(call, [load(low(flags)), [JUMP_ANY_BIT, 1, 0, CREATES], [RETURN, 0, 0, ALLOW], ...checkMode(flags + 1)]),
    ),
    ...table.unseen.flatMap(call => on(String(call), [fail(ENOSYS)])),
    ...(isRoot ? table.xattrs.flatMap(call => on(String(call), [fail(EOPNOTSUPP)])) : []),
    [RETURN, 0, 0, ALLOW],
  ]
  const bytes = Buffer.alloc(words.length * 8)
  for (const [at, [code, yes, no, operand]] of words.entries()) {
    bytes.writeUInt16LE(code, at * 8)
    bytes.writeUInt8(yes, at * 8 + 2)
    bytes.writeUInt8(no, at * 8 + 3)
    bytes.writeUInt32LE(operand >>> 0, at * 8 + 4)
  }
  return bytes
}

const load = (offset: number): Word => [LOAD, 0, 0, offset]
/** The low half of an argument, on a machine with little ends. */
const low = (argument: number): number => 16 + 8 * argument
const checkMode = (argument: number): Word[] => [
  load(low(argument)),
  [JUMP_ANY_BIT, 0, 1, SET_ID_BITS],
  fail(EPERM),
  [RETURN, 0, 0, ALLOW],
]
const on = (call: string, then: Word[]): Word[] => [[JUMP_EQUAL, 0, then.length, Number(call)], ...then]
