import { readdirSync } from 'node:fs'
import t from 'tap'
import { ERRORS } from '../../src/base/codes.js'
import { isSelkieError } from '../../src/base/errors.js'
import type { Opened } from '../../src/bundle/open.js'
import { openVector, readIndex, VECTORS, type Entry } from './read.js'

t.test('every vector opens to what the index says, or is refused with its code', async (t) => {
  for (const entry of readIndex()) t.same(outcome(entry), entry.code ?? entry.opens, entry.file)
})

t.test('the index lists every file', async (t) => {
  const files = readdirSync(VECTORS).filter((file) => file.endsWith('.selkie'))
  t.same(
    files.sort(),
    readIndex()
      .map(({ file }) => file)
      .sort()
  )
})

t.test('every code that opening can give has a vector', async (t) => {
  const shown = new Set(readIndex().map(({ code }) => code))
  const ofOpening = Object.keys(ERRORS).filter((code) => /^E_(BUNDLE|LIMIT|PATH)/.test(code))
  t.same(
    ofOpening.filter((code) => !shown.has(code)),
    SENDERS_OR_INBOX
  )
})

/** Raised where a bundle is packed or sealed, and by the inbox. */
const SENDERS_OR_INBOX = ['E_LIMIT_BUNDLE', 'E_LIMIT_DEVICES', 'E_BUNDLE_SEEN']

function outcome(entry: Entry): unknown {
  try {
    return summary(openVector(entry))
  } catch (error) {
    if (!isSelkieError(error)) throw error
    return error.code
  }
}

function summary({ id, sender, device, sequence, created, payloadHash, manifest }: Opened): object {
  const skills = manifest.skills.map(({ slug, head }) => ({ slug, head }))
  return { id, sender, device, sequence, created, payloadHash, skills }
}
