import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { isSelkieError } from '../../src/base/errors.js'
import { toHex } from '../../src/keys/sodium.js'
import { ana, ben, cleo } from '../bundle/sample.js'
import { contentVectors } from './content-faults.js'
import { envelopeVectors } from './envelope-faults.js'
import { goldenVectors } from './golden.js'
import { limitVectors } from './limit-faults.js'
import { linkVectors } from './link-faults.js'
import { manifestVectors } from './manifest-faults.js'
import type { Person } from './people.js'
import { openVector, VECTORS, KEYS, type Entry } from './read.js'
import { statementVectors } from './statement-faults.js'
import type { Vector } from './vector.js'

/*
 * Makes the vectors anew: `node build/test/vectors/make.js`. Keys, ids and contents are
 * the same on every run; the sealed bytes are not, for the KEM and the stream take
 * their randomness from libsodium. So it is run when the format changes, and the files
 * are committed.
 */

function main(): void {
  writeKeys([ana, ben, cleo])
  mkdirSync(VECTORS, { recursive: true })
  for (const file of readdirSync(VECTORS)) if (file.endsWith('.selkie')) rmSync(new URL(file, VECTORS))
  const vectors = [
    ...goldenVectors(),
    ...envelopeVectors(),
    ...statementVectors(),
    ...manifestVectors(),
    ...limitVectors(),
    ...contentVectors(),
    ...linkVectors()
  ]
  writeJson(new URL('index.json', VECTORS), { vectors: vectors.map(write) })
}

function write({ name, about, bundle, code, device = 0, opener = 'Ben', zerosTo }: Vector): Entry {
  const file = `${name}.selkie`
  writeFileSync(new URL(file, VECTORS), bundle)
  const entry = { file, about, opener, device, ...(zerosTo && { zerosTo }) }
  try {
    const opened = openVector(entry)
    if (code) throw new Error(`${name} opens`)
    const { id, sender, device: by, sequence, created, payloadHash } = opened
    const skills = opened.manifest.skills.map(({ slug, head }) => ({ slug, head }))
    return { ...entry, opens: { id, sender, device: by, sequence, created, payloadHash, skills } }
  } catch (error) {
    if (!isSelkieError(error)) throw error
    if (error.code !== code) throw new Error(`${name} gives ${error.code}, not ${code}`, { cause: error })
    return { ...entry, code }
  }
}

function writeKeys(people: readonly Person[]): void {
  mkdirSync(KEYS, { recursive: true })
  const described = people.map(({ name, words, identity, attestor, seeds, devices, attestations }) => ({
    name,
    words,
    identity,
    attestor: { seed: toHex(attestor.seed), key: attestor.key, certificate: attestor.certificate },
    devices: devices.map(({ signer }, n) => ({
      signingSeed: toHex(seeds[n]!.signing),
      sealingSeed: toHex(seeds[n]!.sealing),
      key: signer.key,
      attestation: attestations[n]!
    }))
  }))
  writeJson(new URL('people.json', KEYS), {
    warning: 'Public test keys. Anyone can use them; never do.',
    people: described
  })
}

function writeJson(url: URL, value: object): void {
  writeFileSync(url, `${JSON.stringify(value, null, 2)}\n`)
}

main()
