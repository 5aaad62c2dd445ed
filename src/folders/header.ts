import {
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  parse,
  stringify,
  visit,
  type Document,
  type Pair,
  type Scalar
} from 'yaml'
import type { Finding } from './frontmatter.js'
import { commented, isComment, mend, parsed } from './mend.js'

/** The keys that the Agent Skills format knows. */
export const KEYS = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools']

/** A key and its value as the text writes them, and where. */
export interface Entry {
  readonly key: string
  /** Lists and maps as JSON. */
  readonly value: string
  readonly kind: 'text' | 'list' | 'map'
  /** Whether every reader takes the value for that text. */
  readonly plain: boolean
  /** Offsets in the header’s text, from the key to the value’s end. */
  readonly from: number
  readonly to: number
  /** Of a list. */
  readonly items: readonly string[]
  /** Of a map. */
  readonly entries: readonly Entry[]
}

/** A frontmatter that was understood. */
export interface Header {
  /** Valid YAML: as it was written, but for what the findings name. */
  readonly text: string
  readonly entries: readonly Entry[]
  readonly findings: readonly Finding[]
  /** The line on which the header as it was written has a key, from 1; 0 where it hasn’t. */
  lineOf(key: string): number
}

/** Reads a frontmatter as leniently as it can be. Never throws. */
export function parseHeader(written: string): Header {
  const findings: Finding[] = []
  const lines = linesOf(written)
  let text = written
  let document = parsed(text)
  if (!document || !isReadable(document, text)) {
    const mended = mend(text)
    findings.push(...mended.findings)
    text = mended.text
    document = parsed(text)
  }
  if (document) {
    const plain = plainStyle(text, document, lines)
    findings.push(...plain.findings)
    text = plain.text
    document = parsed(text)
  }
  if (!document || !isReadable(document, text)) {
    findings.push({ code: 'D_YAML_LOST', line: 1 })
    text = commented(written)
    document = parsed('')!
  }
  return {
    text,
    entries: entriesOf(document.contents),
    findings,
    lineOf: (key) => lines.get(key) ?? 0
  }
}

/** The entry of a key, or undefined; one without a value isn’t there. */
export function entryOf(entries: readonly Entry[], key: string): Entry | undefined {
  return entries.find((entry) => entry.key === key && entry.value !== '')
}

/** The text as a value on one line that every reader of YAML takes for this text. */
export function quoted(text: string): string {
  const plain = /^\p{L}/u.test(text) && stringify(text, YAML_OUT) === `${text}\n`
  // JSON’s strings are YAML’s, but for characters that YAML wants escaped.
  return plain ? text : JSON.stringify(text).replace(UNPRINTABLE, escaped)
}

const YAML_OUT = { version: '1.1', lineWidth: 0 } as const

const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g
const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Whether it is a map, or nothing at all; a BOM, too, is nothing only where it stands. */
function isReadable(document: Document.Parsed, text: string): boolean {
  return isMap(document.contents) || isComment(text)
}

/** The first line that begins with each key, from 1. */
function linesOf(written: string): Map<string, number> {
  const lines = new Map<string, number>()
  written.split('\n').forEach((line, i) => {
    const key = /^\s*["']?([^"':]+)/.exec(line)?.[1]
    if (key !== undefined && !lines.has(key)) lines.set(key, i + 1)
  })
  return lines
}

/**
 * The text with every entry in block style, at the left margin, once, and without
 * anchors, aliases and tags, which many readers refuse.
 */
function plainStyle(
  text: string,
  document: Document.Parsed,
  lines: ReadonlyMap<string, number>
): { text: string; findings: Finding[] } {
  const map = document.contents
  if (!isMap(map)) return { text, findings: [] }
  const pairs = map.items as Pair[]
  const framed = !isComment(text.slice(0, startOf(pairs[0]))) || !isComment(text.slice(lastEnd(text, pairs)))
  const odd =
    framed || map.flow || pairs.some(({ key }) => !isScalar(key) || isOdd(key) || !startsLine(text, key))
  if (odd || pairs.some(({ value }) => isAlias(value) || hasAlias(value))) {
    return { text: rewritten(document), findings: [{ code: 'D_YAML_STYLE', line: 1 }] }
  }

  const last = new Map(pairs.map(({ key }) => [String((key as Scalar).value), key]))
  const findings: Finding[] = []
  let out = ''
  let end = 0
  for (const pair of pairs) {
    const key = pair.key as Scalar.Parsed
    const name = String(key.value)
    const duplicate = last.get(name) !== key
    if (!duplicate && !isOdd(pair.value)) continue
    const to = lineEnd(text, endOf(pair))
    findings.push({
      code: duplicate ? 'D_YAML_DUPLICATE' : 'D_YAML_STYLE',
      line: lines.get(name) ?? 1,
      fields: { key: name }
    })
    out +=
      text.slice(end, key.range[0]) +
      (duplicate ? '' : stringify({ [name]: (pair.value as Scalar).toJS(document) as unknown }, YAML_OUT))
    end = to
  }
  return { text: out + text.slice(end), findings }
}

/** Every entry written anew. Empty where aliases would make it huge. */
function rewritten(document: Document.Parsed): string {
  try {
    return stringify(document.toJS({ maxAliasCount: 100 }), YAML_OUT)
  } catch {
    return ''
  }
}

function isOdd(node: unknown): boolean {
  let odd = false
  visit(node as Scalar, {
    Node: (_, { anchor, tag }: { anchor?: string; tag?: string }) => {
      odd ||= anchor !== undefined || (tag !== undefined && !tag.startsWith('?'))
    },
    Map: (_, map) => {
      const keys = map.items.map(({ key }) => (isScalar(key) ? String(key.value) : ''))
      odd ||= map.flow === true || keys.includes('') || new Set(keys).size < keys.length
    }
  })
  return odd
}

function hasAlias(node: unknown): boolean {
  let found = false
  visit(node as Scalar, { Alias: () => void (found = true) })
  return found
}

function startOf(pair: Pair | undefined): number {
  return (pair?.key as Scalar.Parsed | undefined)?.range[0] ?? 0
}

/** The end of the line on which the last pair ends. */
function lastEnd(text: string, pairs: readonly Pair[]): number {
  const last = pairs.at(-1)
  return last ? lineEnd(text, endOf(last)) : 0
}

function startsLine(text: string, { range }: { range?: [number, number, number] | null }): boolean {
  return !!range && (range[0] === 0 || text[range[0] - 1] === '\n')
}

function endOf({ key, value }: Pair): number {
  return ((value ?? key) as Scalar.Parsed).range[1]
}

/** The offset behind the line that `offset` is the end of something on. */
export function lineEnd(text: string, offset: number): number {
  if (offset > 0 && text[offset - 1] === '\n') return offset
  const at = text.indexOf('\n', offset)
  return at === -1 ? text.length : at + 1
}

function entriesOf(map: unknown): Entry[] {
  if (!isMap(map)) return []
  return (map.items as Pair<Scalar.Parsed, Scalar.Parsed | null>[]).map((pair) => {
    const { key, value } = pair
    const shared = { key: String(key.value), from: key.range[0], to: endOf(pair), items: [], entries: [] }
    if (isCollection(value)) {
      const json: unknown = value.toJSON()
      const items = isSeq(value)
        ? (json as unknown[]).map((item) => (typeof item === 'string' ? item : JSON.stringify(item)))
        : []
      const kind = isSeq(value) ? 'list' : 'map'
      return {
        ...shared,
        kind,
        value: JSON.stringify(json),
        plain: false,
        items,
        entries: entriesOf(value)
      }
    }
    const content = isScalar(value) ? wellFormed(String(value.value)) : ''
    return { ...shared, kind: 'text', value: content.trim(), plain: isPlain(value) }
  })
}

/** Whether readers that give types to plain scalars, of YAML 1.1 too, take it for a text. */
function isPlain(value: Scalar.Parsed | null): boolean {
  if (value?.type !== 'PLAIN') return value !== null
  const { source } = value
  return (
    source !== '=' &&
    source !== '<<' &&
    typeof parse(source, { version: '1.1', logLevel: 'silent' }) === 'string'
  )
}

/** YAML’s `\\ud800` can write half a character; no encoding could carry it. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}
