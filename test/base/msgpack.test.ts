import t from 'tap'
import fc from 'fast-check'
import { Packr } from 'msgpackr'
import { isSelkieError } from '../../src/base/errors.js'
import { decode, encode } from '../../src/base/msgpack.js'

const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.replaceAll(' ', ''), 'hex'))

/** Why the bytes are refused; undefined where they are taken. */
function refusal(action: () => unknown): string | undefined {
  try {
    action()
    return undefined
  } catch (error) {
    if (!isSelkieError(error, 'E_ENCODING')) throw error
    return String(error.fields.why)
  }
}

/** Every value that the encoding has, at most seven levels deep. */
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 5, withCrossShrink: true },
    fc.constantFrom(null, true, false, 0, 127, 128, 255, 256, 65_535, 65_536, 2 ** 32 - 1),
    fc.nat(),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.uint8Array({ maxLength: 300 }),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(fc.oneof(fc.string(), fc.nat({ max: 20 }).map(String)), tie('value'), {
      maxKeys: 5,
      noNullPrototype: true
    })
  )
})).value

t.test('what is encoded comes back, and comes back the same', (t) => {
  fc.assert(
    fc.property(value, (before) => {
      fc.pre(!JSON.stringify(before).includes('__proto__'))
      const bytes = encode(before)
      const after = decode(bytes)
      return (
        Buffer.compare(encode(after), bytes) === 0 &&
        JSON.stringify(plain(after)) === JSON.stringify(plain(before))
      )
    })
  )
  t.end()
})

/** Bytes as lists, and keys in order, so that two values can be compared as text. */
function plain(of: unknown): unknown {
  if (of instanceof Uint8Array) return { bytes: Buffer.from(of).toString('hex') }
  if (Array.isArray(of)) return of.map(plain)
  if (of === null || typeof of !== 'object') return of
  return Object.entries(of)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, field]) => [key, plain(field)])
}

t.test('one value has one encoding', (t) => {
  t.same(encode({ b: 1, a: 2, gone: undefined }), encode({ a: 2, b: 1 }))
  t.same(Buffer.from(encode({ b: [], a: {} })).toString('hex'), '82a16180a16290')
  t.same(
    Buffer.from(encode({ '10': 1, '9': 2, '-': 3 })).toString('hex'),
    '83a12d03a2313001a13902',
    'keys like numbers'
  )
  t.end()
})

t.test('what can’t be decoded isn’t encoded', (t) => {
  const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)])
  t.equal(
    refusal(() => encode(deep(7))),
    undefined
  )
  t.match(
    refusal(() => encode(deep(8))),
    /too deep/
  )
  t.match(
    refusal(() => encode(2 ** 32)),
    /type/
  )
  t.match(
    refusal(() => encode(-1)),
    /type/
  )
  t.match(
    refusal(() => encode(0.5)),
    /type/
  )
  t.match(
    refusal(() => encode([undefined])),
    /type/
  )
  t.match(
    refusal(() => encode(1n << 40n)),
    /type/
  )
  t.match(
    refusal(() => encode(Array(5000).fill(0))),
    /more values/
  )
  t.match(
    refusal(() => encode('half \ud83d a pair')),
    /Unicode/
  )
  t.match(
    refusal(() => encode({ ['\udc00'.repeat(100)]: 1 })),
    /Unicode/
  )
  t.match(
    refusal(() => encode(JSON.parse('{"__proto__": 1}'))),
    /key/
  )
  t.end()
})

t.test('a value that is cut anywhere is refused', (t) => {
  const bytes = encode({
    bytes: new Uint8Array(300),
    list: [1, 300, 70_000, 'text'.repeat(20)],
    map: { a: null }
  })
  const taken = [...bytes.keys()].filter(
    (length) => refusal(() => decode(bytes.subarray(0, length))) === undefined
  )
  t.same(taken, [])
  t.end()
})

t.test('no byte that is changed is taken for the same value', (t) => {
  const bytes = encode({
    bytes: new Uint8Array(3),
    list: [1, 300, 70_000, 'text'],
    map: { a: null, b: true }
  })
  for (let at = 0; at < bytes.length; at++) {
    for (let bit = 0; bit < 8; bit++) {
      const changed = bytes.slice()
      changed[at]! ^= 1 << bit
      if (refusal(() => decode(changed)) !== undefined) continue
      if (Buffer.compare(encode(decode(changed)), changed) !== 0) t.fail(`byte ${at}, bit ${bit}`)
    }
  }
  t.end()
})

t.test('hostile bytes', (t) => {
  const cases: Record<string, [string, RegExp]> = {
    'nothing at all': ['', /ends early/],
    'trailing byte': ['c0 c0', /follows its end/],
    'doubled key': ['82 a161 01 a161 02', /doubled or out of order/],
    'keys out of order': ['82 a162 01 a161 02', /doubled or out of order/],
    'number as key': ['81 01 01', /isn’t a text/],
    '__proto__ as key': ['81 a95f5f70726f746f5f5f 01', /key that isn’t allowed/],
    'one in two bytes': ['cc 01', /canonical/],
    'one in three bytes': ['cd 0001', /canonical/],
    'one in five bytes': ['ce 00000001', /canonical/],
    'one in nine bytes': ['cf 0000000000000001', /type/],
    'negative number': ['ff', /type/],
    'float 32': ['ca 3f800000', /type/],
    'float 64': ['cb 3ff0000000000000', /type/],
    'short text with a long header': ['d9 01 61', /canonical/],
    'short list with a long header': ['dc 0001 c0', /canonical/],
    'short map with a long header': ['de 0001 a161 c0', /canonical/],
    'short bytes with a long header': ['c5 0001 00', /canonical/],
    'never-used byte': ['c1', /type/],
    'fixext 1': ['d4 00 00', /type/],
    'fixext 16': ['d8 01 00000000000000000000000000000000', /type/],
    'ext 8': ['c7 01 72 00', /type/],
    'ext 32': ['c9 00000001 72 00', /type/],
    timestamp: ['d6 ff 00000000', /type/],
    'text of 4 GiB': ['db ffffffff 61', /ends early/],
    'bytes of 4 GiB': ['c6 ffffffff 61', /ends early/],
    'list of 4 G items': ['dd ffffffff c0', /ends early/],
    'map of 4 G entries': ['df ffffffff a161 c0', /ends early/],
    'lone continuation byte': ['a1 80', /UTF-8/],
    'overlong slash': ['a2 c0af', /UTF-8/],
    'surrogate in UTF-8': ['a3 eda080', /UTF-8/],
    'bad UTF-8 in a key': ['81 a1 ff 01', /UTF-8/],
    'nine lists': ['91 91 91 91 91 91 91 91 c0', /too deep/]
  }
  for (const [name, [bytes, why]] of Object.entries(cases))
    t.match(
      refusal(() => decode(hex(bytes))),
      why,
      name
    )
  t.end()
})

t.test('hostile sizes are refused before anything is built', (t) => {
  t.match(
    refusal(() => decode(new Uint8Array(1 << 20).fill(0x91))),
    /too deep/,
    'a million nested lists'
  )
  const maps = new Uint8Array(5 + 1_000_000).fill(0x80)
  maps.set(hex('dd 000f4240'))
  t.match(
    refusal(() => decode(maps)),
    /more values/,
    'a million empty maps'
  )
  t.end()
})

t.test('what msgpackr would revive stays outside', (t) => {
  const packr = new Packr({ structuredClone: true, moreTypes: true })
  for (const revived of [new Date(0), new Set([1]), /a/, new Error('x')]) {
    t.match(
      refusal(() => decode(new Uint8Array(packr.pack(revived)))),
      /type/,
      revived.constructor.name
    )
  }
  t.end()
})

t.test('bytes in the middle of a larger buffer are read where they are', (t) => {
  const within = new Uint8Array([0xc1, ...encode({ a: 1 }), 0xc1])
  t.same(decode(within.subarray(1, -1)), { a: 1 })
  t.end()
})
