/** Texts of which every match has at least one in it, and what it costs to look for them. */
export interface Required {
  readonly texts: readonly string[]
  readonly cost: number
}

/**
 * What a regular expression can’t match without: of `lisbon|porto \d+`, `lisbon` or
 * `porto `. Of several such sets it is the one that costs the least to look for. A line
 * that has none of them needs no closer look.
 *
 * @param source of Unicode mode, and right
 * @param cost of looking for one text
 * @returns undefined where a match may do without any text
 */
export function required(source: string, cost: (text: string) => number): Required | undefined {
  return new Reader(source.match(TOKEN) ?? [], cost).alternatives()
}

/** A group’s beginning, a class, an escape, a quantifier, or one character. */
const TOKEN =
  /\((?:\?(?:<?[=!]|:|<[^>]*>))?|\[(?:\\.|[^\]\\])*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|k<[^>]*>|c[a-z]|\d+|.)|(?:[*+?]|\{\d+(?:,\d*)?\})\??|./gisu
const QUANTIFIER = /^(?:([*+?])|\{(\d+).*\})\??$/u
const LOOK = /^\(\?<?[=!]$/u

class Reader {
  readonly #tokens: readonly string[]
  readonly #cost: (text: string) => number
  #at = 0

  constructor(tokens: readonly string[], cost: (text: string) => number) {
    this.#tokens = tokens
    this.#cost = cost
  }

  /** Up to the end, or with the `)` of a group. */
  alternatives(): Required | undefined {
    const each = [this.#sequence()]
    while (this.#tokens[this.#at++] === '|') each.push(this.#sequence())
    // Where one needs nothing, the whole does.
    if (!each.every((one) => one !== undefined)) return undefined
    return { texts: each.flatMap(({ texts }) => texts), cost: each.reduce((sum, { cost }) => sum + cost, 0) }
  }

  #sequence(): Required | undefined {
    let best: Required | undefined
    let run = ''
    const consider = (found: Required | undefined): void => {
      if (found && !(best && best.cost <= found.cost)) best = found
    }
    const endRun = (next = ''): void => {
      if (run !== '') consider({ texts: [run], cost: this.#cost(run) })
      run = next
    }
    for (;;) {
      const token = this.#tokens[this.#at]
      if (token === undefined || token === '|' || token === ')') break
      this.#at++
      const inner = token.startsWith('(') ? this.alternatives() : undefined
      const char = characterOf(token)
      const least = this.#least()
      // What has no width leaves its neighbours together.
      if (char === '') continue
      if (char === undefined || least === 0) {
        endRun()
        // What one sees looking around isn’t part of the match.
        if (least !== 0 && !LOOK.test(token)) consider(inner)
      } else {
        run += char
        if (least !== undefined) endRun(char)
      }
    }
    endRun()
    return best
  }

  /** Takes a quantifier, where one is next, and says how often at least. */
  #least(): number | undefined {
    const quantifier = QUANTIFIER.exec(this.#tokens[this.#at] ?? '')
    if (!quantifier) return undefined
    this.#at++
    const [, sign, count] = quantifier
    return sign === undefined ? Number(count) : sign === '+' ? 1 : 0
  }
}

/** The one character that a token matches; undefined for any other, empty for what has no width. */
function characterOf(token: string): string | undefined {
  if (/^(?:[$^]|\\b)$/iu.test(token)) return ''
  if (/^(?:\.|[([].*)$/su.test(token)) return undefined
  if (!token.startsWith('\\')) return token
  if (/^\\x/iu.test(token)) return String.fromCharCode(parseInt(token.slice(2), 16))
  return /^\\[^\p{L}\d]$/u.test(token) ? token.slice(1) : undefined
}
