import { Packr } from 'msgpackr'
import { SelkieError } from './errors.js'

/**
 * The one encoding of values that are stored, hashed or sent: msgpack with sorted keys
 * and the shortest form of everything. Null, booleans, integers up to 2^32 - 1, strings,
 * bytes, arrays and plain objects only, at most 8 levels deep.
 */
const packr = new Packr({
  useRecords: false,
  mapsAsObjects: true,
  variableMapSize: true,
  structuredClone: false,
  copyBuffers: true
})

/** How deep values may nest. */
const MAX_DEPTH = 8

/**
 * How many values `length` bytes may hold. Honest values take more than four bytes on
 * average; a run of empty maps would become a hundred times its size in memory.
 */
const maxValues = (length: number): number => 1024 + length / 4

/**
 * The canonical bytes of a value; keys whose value is undefined are left out. What
 * {@link decode} would not take is refused here already.
 *
 * @throws SelkieError E_ENCODING
 */
export function encode(value: unknown): Uint8Array {
  const bytes = pack(value)
  scan(bytes)
  return bytes
}

/**
 * The value of canonical bytes. The bytes are scanned in one linear pass before
 * anything is built from them, and what comes out is encoded again and compared, so
 * one value has one encoding. The shape is for the caller's schema to check.
 *
 * @throws SelkieError E_ENCODING, its field `why` saying what was found
 */
export function decode(bytes: Uint8Array): unknown {
  scan(bytes)
  let value: unknown
  try {
    value = packr.unpack(bytes)
  } catch (cause) {
    throw new SelkieError('E_ENCODING', { why: 'it can’t be decoded' }, { cause })
  }
  if (Buffer.compare(pack(value), bytes) !== 0) refuse('it isn’t in the one canonical form')
  return value
}

/** The value of bytes that this node encoded itself and that nobody else can have touched. */
export function decodeOwn(bytes: Uint8Array): unknown {
  return packr.unpack(bytes)
}

function pack(value: unknown): Uint8Array {
  return new Uint8Array(packr.pack(sorted(value)))
}

function sorted(value: unknown): unknown {
  // Half a surrogate pair has no UTF-8, and would come back as another text.
  if (typeof value === 'string' && !value.isWellFormed()) refuse('a text in it isn’t Unicode')
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value
  if (Array.isArray(value)) return value.map(sorted)
  const entries = Object.entries(value).filter(([, field]) => field !== undefined)
  // By code unit, the same order on every machine.
  entries.sort(([a], [b]) => (a < b ? -1 : 1))
  // A map, for an object would put keys such as `7` first.
  return new Map(entries.map(([key, field]) => [sorted(key), sorted(field)]))
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Reads the bytes as msgpack without building anything: every length must fit in what
 * is left, nesting is bounded, and only the types above occur. Keys must be strings in
 * rising order, which also rules out duplicates.
 */
function scan(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  let values = 0

  const uint = (size: 1 | 2 | 4): number => {
    if (at + size > bytes.length) refuse('it ends early')
    const value = size === 1 ? view.getUint8(at) : size === 2 ? view.getUint16(at) : view.getUint32(at)
    at += size
    return value
  }
  const raw = (length: number): Uint8Array => {
    if (length > bytes.length - at) refuse('it ends early')
    at += length
    return bytes.subarray(at - length, at)
  }
  const text = (length: number): string => {
    try {
      return strictUtf8.decode(raw(length))
    } catch (cause) {
      if (cause instanceof SelkieError) throw cause
      throw new SelkieError('E_ENCODING', { why: 'a text in it isn’t UTF-8' }, { cause })
    }
  }
  const textLength = (head: number): number => {
    if (head >= 0xa0 && head <= 0xbf) return head & 0x1f
    if (head === 0xd9) return uint(1)
    if (head === 0xda) return uint(2)
    if (head === 0xdb) return uint(4)
    return refuse('a key in it isn’t a text')
  }

  const item = (depth: number): void => {
    if (depth > MAX_DEPTH) refuse('it is nested too deep')
    if (++values > maxValues(bytes.length)) refuse('it holds more values than its size allows')
    const head = uint(1)
    if (head <= 0x7f || head === 0xc0 || head === 0xc2 || head === 0xc3) return
    if (head >= 0xa0 && head <= 0xbf) return void text(head & 0x1f)
    if (head >= 0x90 && head <= 0x9f) return list(head & 0x0f, depth)
    if (head >= 0x80 && head <= 0x8f) return map(head & 0x0f, depth)
    switch (head) {
      case 0xc4:
        return void raw(uint(1))
      case 0xc5:
        return void raw(uint(2))
      case 0xc6:
        return void raw(uint(4))
      case 0xcc:
        return void uint(1)
      case 0xcd:
        return void uint(2)
      case 0xce:
        return void uint(4)
      case 0xd9:
        return void text(uint(1))
      case 0xda:
        return void text(uint(2))
      case 0xdb:
        return void text(uint(4))
      case 0xdc:
        return list(uint(2), depth)
      case 0xdd:
        return list(uint(4), depth)
      case 0xde:
        return map(uint(2), depth)
      case 0xdf:
        return map(uint(4), depth)
      default:
        return refuse('it holds a type that isn’t allowed')
    }
  }
  const list = (count: number, depth: number): void => {
    if (count > bytes.length - at) refuse('it ends early')
    for (let i = 0; i < count; i++) item(depth + 1)
  }
  const map = (count: number, depth: number): void => {
    if (count * 2 > bytes.length - at) refuse('it ends early')
    let last: string | undefined
    for (let i = 0; i < count; i++) {
      const key = text(textLength(uint(1)))
      if (last !== undefined && key <= last) refuse('its keys are doubled or out of order')
      if (key === '__proto__') refuse('it holds a key that isn’t allowed')
      last = key
      item(depth + 1)
    }
  }

  item(1)
  if (at !== bytes.length) refuse('something follows its end')
}

function refuse(why: string): never {
  throw new SelkieError('E_ENCODING', { why })
}
