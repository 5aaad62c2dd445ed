import { isSelkieError, SelkieError } from '../base/errors.js'
import { freeName } from '../base/name.js'
import type { DeviceKey } from '../base/ids.js'
import { MAX_DEVICES } from '../base/limits.js'
import { sealingKeyHash } from '../keys/device.js'
import { attestConsenting } from '../keys/identity.js'
import { joiningKeyFrom } from '../keys/joining.js'
import { fromHex, toHex } from '../keys/sodium.js'
import type { Epoch } from '../store/epoch.js'
import type { DeviceRow } from '../store/rows.js'
import { seconds, type Self } from '../store/self.js'
import type { Channel } from '../wire/channel.js'
import { openJoining, type Offer, type Refusal, type Request, type Welcome } from '../wire/joining.js'
import type { Connection } from '../wire/swarm.js'
import { encodeInvite, SEED_BYTES } from './invite.js'

/** An invite while it is open. */
interface OpenInvite {
  /** Milliseconds since 1970. */
  readonly expires: number
  readonly used: Promise<DeviceRow>
  readonly resolve: (row: DeviceRow) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout
  isUsed: boolean
}

/**
 * Takes in further devices: those that call under the key of an open invite, once each,
 * and those that call under the key of the words, which only who has the words can.
 */
export class Guests {
  readonly #self: Self
  readonly #rejoining: DeviceKey
  readonly #epoch: () => Epoch
  readonly #changed: () => void
  readonly #failed: (error: unknown) => void
  readonly #invites = new Map<DeviceKey, OpenInvite>()
  readonly #texts = new Map<string, DeviceKey>()

  constructor(
    self: Self,
    options: {
      /** The key of the words, 64 hex digits. */
      readonly rejoining: string
      /** The one that this device lives in. */
      readonly epoch: () => Epoch
      /** Other keys than before are to be let in. */
      readonly changed: () => void
      readonly failed: (error: unknown) => void
    }
  ) {
    this.#self = self
    this.#rejoining = options.rejoining as DeviceKey
    this.#epoch = options.epoch
    this.#changed = options.changed
    this.#failed = options.failed
  }

  /** The keys that are to be let in. */
  keys(): Set<DeviceKey> {
    return new Set([this.#rejoining, ...this.#invites.keys()])
  }

  /** Opens an invite for one further device. */
  invite(expiresIn: number): { text: string; expires: number } {
    const { clock, device } = this.#self
    const seed = clock.random(SEED_BYTES)
    const key = joiningKeyFrom(seed).publicKey as DeviceKey
    // An invite carries whole seconds.
    const expires = Math.ceil((clock.now() + expiresIn) / 1000)
    const text = encodeInvite({ seed, device: device.signer.key, expires })
    let resolve!: (row: DeviceRow) => void
    let reject!: (error: Error) => void
    const used = new Promise<DeviceRow>((yes, no) => {
      resolve = yes
      reject = no
    })
    // Whoever waits hears of it; without anyone waiting it is no failure.
    used.catch(() => {})
    const timer = setTimeout(() => this.#end(key, 'E_INVITE_EXPIRED'), expires * 1000 - clock.now())
    timer.unref()
    this.#invites.set(key, { expires: expires * 1000, used, resolve, reject, timer, isUsed: false })
    this.#texts.set(text, key)
    this.#changed()
    return { text, expires: expires * 1000 }
  }

  /**
   * Waits until an invite was used.
   *
   * @throws SelkieError E_INVITE_UNKNOWN, E_INVITE_EXPIRED, E_INVITE_ENDED
   */
  async invited(text: string): Promise<DeviceRow> {
    const invite = this.#invites.get(this.#texts.get(text) ?? ('' as DeviceKey))
    if (!invite) throw new SelkieError('E_INVITE_UNKNOWN')
    return invite.used
  }

  /** Takes over a connection under a key that was let in. */
  meet(connection: Connection, key: DeviceKey): void {
    let said = Promise.resolve()
    // One after the other, and the offer first.
    const say = (message: () => Promise<Offer | Welcome | Refusal>): void => {
      const before = said
      said = (async () => {
        await before
        try {
          const next = await message()
          channel?.send(next)
          // Who isn’t taken in has nothing more to say.
          if (next.type === 'refusal') connection.end()
        } catch (error) {
          this.#failed(error)
          connection.destroy()
        }
      })()
    }
    const channel: Channel<Offer | Welcome | Refusal> | undefined = openJoining(connection, (message) => {
      if (message.type === 'request') say(() => this.#answer(key, message))
      else connection.destroy()
    })
    if (channel) say(() => this.#offer())
  }

  close(): void {
    for (const key of this.#invites.keys()) this.#end(key, 'E_INVITE_ENDED')
  }

  async #offer(): Promise<Offer> {
    const owner = (await this.#self.store.view.get('owner'))!
    return { type: 'offer', attestation: this.#self.attestation, card: owner.card }
  }

  async #answer(key: DeviceKey, request: Request): Promise<Welcome | Refusal> {
    const { clock, attestor } = this.#self
    const invite = this.#invites.get(key)
    if (invite?.isUsed) return refusal('E_INVITE_USED')
    if (invite ? clock.now() > invite.expires : key !== this.#rejoining) return refusal('E_INVITE_EXPIRED')
    const { device, sealing, consent } = request
    const claim = { device: device as DeviceKey, sealing: sealingKeyHash(fromHex(sealing)), consent }
    const attestation = attestConsenting(attestor, claim)
    if (!attestation) return refusal('E_JOIN_REFUSED')
    if (invite) invite.isUsed = true
    try {
      const row = await this.#add(request, attestation)
      invite?.resolve(row)
    } catch (error) {
      if (invite) invite.isUsed = false
      if (isSelkieError(error)) return refusal(error.code)
      throw error
    }
    const { encryption, record } = this.#epoch()
    const rejoining = this.#rejoining
    const seed = toHex(attestor.seed)
    return { type: 'welcome', attestation, attestor: seed, rejoining, encryption, record: record.bytes }
  }

  async #add({ name, sealing }: Request, attestation: Welcome['attestation']): Promise<DeviceRow> {
    const { store, clock } = this.#self
    const { device } = attestation
    return store.turn(async () => {
      const { devices } = store.memory
      if (!devices.has(device)) {
        if (devices.size >= MAX_DEVICES)
          throw new SelkieError('E_LIMIT_DEVICES', { count: devices.size + 1, limit: MAX_DEVICES })
        await store.append({
          type: 'device',
          name: this.#freeName(name),
          sealing,
          attestation,
          time: seconds(clock)
        })
      }
      const row = devices.get(device)
      if (!row) throw new SelkieError('E_JOIN_REFUSED')
      return row
    })
  }

  #freeName(wanted: string): string {
    const rows = [...this.#self.store.memory.devices.values()]
    return freeName(wanted, new Set(rows.map(({ name }) => name.toLowerCase())), 'device')
  }

  #end(key: DeviceKey, why: 'E_INVITE_EXPIRED' | 'E_INVITE_ENDED'): void {
    const invite = this.#invites.get(key)
    if (!invite) return
    clearTimeout(invite.timer)
    invite.reject(new SelkieError(why))
    this.#invites.delete(key)
    this.#changed()
  }
}

function refusal(code: string): Refusal {
  return { type: 'refusal', code }
}
