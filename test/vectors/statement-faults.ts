import type { IdentityKey } from '../../src/base/ids.js'
import { envelopeTo, openEnvelope } from '../../src/bundle/envelope.js'
import { CHUNK_OVERHEAD, envelopeLength, LABEL, STREAM_HEADER_BYTES } from '../../src/bundle/format.js'
import { seal, type Sealing } from '../../src/bundle/seal.js'
import {
  decodeStatement,
  encodeStatement,
  STATEMENT_BYTES,
  type Statement
} from '../../src/bundle/statement.js'
import { decryptBehind, encryptBehind } from '../../src/bundle/stream.js'
import { signWith } from '../../src/keys/device.js'
import type { Attestor } from '../../src/keys/attestor.js'
import { attest, type Attestation } from '../../src/keys/identity.js'
import { fromHex } from '../../src/keys/sodium.js'
import { ana, ben, cleo } from '../bundle/sample.js'
import { toOne, type Vector } from './vector.js'
import { changed, flipped, long, packed, sealed } from './packed.js'

/** Faults of the statement, the signature, the lengths: sealed with the right keys. */
export function statementVectors(): Vector[] {
  const from = (person: typeof ana, device: number): Sealing['sender'] => ({
    signer: person.devices[device]!.signer,
    attestation: person.attestations[device]!
  })
  const attestation = (name: string, about: string, change: Partial<Attestation>): Vector => ({
    name,
    code: 'E_BUNDLE_ATTESTATION',
    about,
    bundle: seal(packed, {
      ...toOne,
      sender: { ...toOne.sender, attestation: { ...toOne.sender.attestation, ...change } }
    })
  })
  const attestedBy = (attestor: Attestor): Attestation => attest(attestor, ana.devices[0]!)
  const end = STATEMENT_BYTES + 64 + packed.index.length
  return [
    {
      name: 'passed-on',
      code: 'E_BUNDLE_RECIPIENT',
      about: 'Ana to Cleo, sealed on to Ben by Cleo with Ana’s signature in it.',
      bundle: passedOn(cleo.identity)
    },
    {
      name: 'sealed-anew',
      code: 'E_BUNDLE_ENVELOPE',
      about: 'Ana to Ben, put behind another envelope with Ana’s signature in it.',
      bundle: passedOn(ben.identity)
    },
    attestation(
      'certificate-forged',
      'The sender’s attestor is certified by Cleo.',
      attestedBy({ ...cleo.attestor, identity: ana.identity })
    ),
    attestation('certificate-label', 'The attestor is certified under the label of an attestation.', {
      certificate: signWith(ana.root, 'selkie/attestation/v1', fromHex(ana.attestor.key))
    }),
    attestation(
      'attestation-forged',
      'A device that the sender’s attestor hasn’t attested.',
      attestedBy({ ...ana.attestor, secret: cleo.attestor.secret })
    ),
    attestation(
      'attestation-by-root',
      'A device that the identity attests itself, in its attestor’s place.',
      attestedBy({ ...ana.attestor, secret: ana.root.secret })
    ),
    attestation('consent-forged', 'A device that hasn’t consented to the sender’s identity.', {
      consent: cleo.attestations[0]!.consent
    }),
    {
      name: 'signature-by-other',
      code: 'E_BUNDLE_SIGNATURE',
      about: 'Signed by another device than the statement names.',
      bundle: seal(packed, {
        ...toOne,
        sender: { signer: ana.devices[1]!.signer, attestation: ana.attestations[0]! }
      })
    },
    {
      name: 'signature-changed',
      code: 'E_BUNDLE_SIGNATURE',
      about: 'A bit of the signature is changed.',
      bundle: sealed((inner) => flipped(inner, STATEMENT_BYTES))
    },
    {
      name: 'statement-changed',
      code: 'E_BUNDLE_SIGNATURE',
      about: 'The sequence number is changed after signing.',
      bundle: sealed((inner) => flipped(inner, 440))
    },
    {
      name: 'signature-label',
      code: 'E_BUNDLE_SIGNATURE',
      about: 'Signed under the label of a version.',
      bundle: sealed(underOtherLabel)
    },
    {
      name: 'time',
      code: 'E_BUNDLE_TIME',
      about: 'Made in the year 10000.',
      bundle: seal(packed, { ...toOne, created: 253_402_300_800_000 })
    },
    {
      name: 'sender-unknown',
      code: 'E_BUNDLE_SENDER',
      about: 'From Cleo, who is no contact.',
      bundle: seal(packed, { ...toOne, sender: from(cleo, 0) })
    },
    {
      name: 'device-removed',
      code: 'E_BUNDLE_DEVICE',
      about: 'From Ana’s third device, which is not on her card.',
      bundle: seal(packed, { ...toOne, sender: from(ana, 2) })
    },
    {
      name: 'payload-longer',
      code: 'E_BUNDLE_LENGTH',
      about: 'The payload’s length is beyond the end.',
      bundle: restated({ payloadLength: 2 ** 32 - 1 })
    },
    {
      name: 'payload-shorter',
      code: 'E_BUNDLE_LENGTH',
      about: 'The payload’s length asks for less padding.',
      bundle: restated({ payloadLength: 400, indexLength: 400 })
    },
    {
      name: 'index-longer',
      code: 'E_BUNDLE_LENGTH',
      about: 'The index is longer than the payload.',
      bundle: restated({ indexLength: packed.index.length + 1 })
    },
    {
      name: 'padding',
      code: 'E_BUNDLE_PADDING',
      about: 'A byte of the padding isn’t zero.',
      bundle: sealed((inner) => changed(inner, inner.length - 1, 1))
    },
    {
      name: 'padding-first',
      code: 'E_BUNDLE_PADDING',
      about: 'The first byte of the padding isn’t zero.',
      bundle: sealed((inner) => changed(inner, end, 1))
    },
    {
      name: 'payload-changed',
      code: 'E_BUNDLE_PAYLOAD',
      about: 'A bit of the manifest is changed.',
      bundle: sealed((inner) => flipped(inner, end - packed.index.length + 20))
    },
    {
      name: 'payload-hash',
      code: 'E_BUNDLE_PAYLOAD',
      about: 'The hash of another payload is signed.',
      bundle: restated({ payload: long.payloadHash })
    }
  ]
}

/** Sealed around another statement, properly signed. */
function restated(change: Partial<Statement>): Uint8Array {
  return sealed((inner) => {
    const statement = encodeStatement({ ...decodeStatement(inner.subarray(0, STATEMENT_BYTES)), ...change })
    const out = Uint8Array.from(inner)
    out.set(statement)
    out.set(fromHex(signWith(toOne.sender.signer, LABEL.statement, statement)), STATEMENT_BYTES)
    return out
  })
}

function underOtherLabel(inner: Uint8Array): Uint8Array {
  const out = Uint8Array.from(inner)
  const signature = signWith(
    toOne.sender.signer,
    'selkie/version-signature/v1',
    inner.subarray(0, STATEMENT_BYTES)
  )
  out.set(fromHex(signature), STATEMENT_BYTES)
  return out
}

/** Opened by the one whom Ana sent it to, and sealed to Ben with all that was inside. */
function passedOn(recipient: IdentityKey): Uint8Array {
  const { sealing } = recipient === cleo.identity ? cleo.devices[0]! : ben.devices[0]!
  const first = seal(packed, {
    ...toOne,
    recipient: { identity: recipient, sealingKeys: [sealing.publicKey] }
  })
  const envelope = openEnvelope(first, 1, sealing)
  const length = first.length - envelopeLength(1) - STREAM_HEADER_BYTES - CHUNK_OVERHEAD
  return encryptBehind(envelopeTo(toOne.recipient.sealingKeys), [decryptBehind(envelope, first, length)])
}
