import type { ErrorCode } from '../../src/base/codes.js'
import type { Packed } from '../../src/bundle/pack.js'
import { seal, type Sealing } from '../../src/bundle/seal.js'
import { ben, toBen } from '../bundle/sample.js'

/** A bundle with at most one fault, and what opening it must give. */
export interface Vector {
  /** Of the file, without `.selkie`; a fault’s name. */
  readonly name: string
  /** The code that it is refused with; undefined for one that opens. */
  readonly code?: ErrorCode
  /** One sentence on what it is. */
  readonly about: string
  readonly bundle: Uint8Array
  /** Which of the recipient’s devices opens it; the first unless said. */
  readonly device?: number
  /** Whose device that is; Ben’s unless said. */
  readonly opener?: string
  /** The bundle is this long, and what its file doesn’t hold is zeros. */
  readonly zerosTo?: number
}

/** To Ben’s first device alone, which keeps a vector small. */
export const toOne: Sealing = toBen({
  recipient: { identity: ben.identity, sealingKeys: [ben.devices[0]!.sealing.publicKey] }
})

/** A vector whose fault is inside: sealed as an honest bundle is, from what an insider packed. */
export function insider(name: string, code: ErrorCode, about: string, packed: Packed): Vector {
  return { name, code, about, bundle: seal(packed, toOne) }
}
