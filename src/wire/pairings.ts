import { SelkieError } from '../base/errors.js'
import type { IdentityKey } from '../base/ids.js'
import { readCard } from '../keys/card.js'
import { takeCard } from '../people/contacts.js'
import type { ContactRow } from '../store/rows.js'
import type { Self } from '../store/self.js'
import { openInvite, useInvite, type OpenInvite } from './pairing.js'

/** Milliseconds after which the maker of an invite counts as out of reach. */
const PATIENCE = 60_000

export interface PairingsNeeds {
  /** `host:port` of DHT nodes; without it the public ones. */
  readonly bootstrap: readonly string[] | undefined
  /** This person's own card. */
  readonly card: () => Promise<Uint8Array>
  /** Whom this device lets in has changed. */
  readonly changed: () => void
}

interface Opened {
  readonly open: OpenInvite
  contact?: ContactRow
}

/** Invites of this process, and the contacts that are being met by one. */
export class Pairings {
  readonly #self: Self
  readonly #needs: PairingsNeeds
  /** By their texts. */
  readonly #invites = new Map<string, Opened>()
  /** Contacts that don’t let this device in yet: they are just pairing. */
  readonly #awaited = new Set<IdentityKey>()

  constructor(self: Self, needs: PairingsNeeds) {
    this.#self = self
    this.#needs = needs
  }

  isAwaited(contact: IdentityKey): boolean {
    return this.#awaited.has(contact)
  }

  /** Opens a one-time invite, for so many milliseconds. */
  async invite(expiresIn: number): Promise<OpenInvite> {
    const open = await openInvite({
      bootstrap: this.#needs.bootstrap,
      card: await this.#needs.card(),
      expiresIn,
      clock: this.#self.clock,
      admit: async (card) => {
        const { identity } = readCard(card).card
        this.#awaited.add(identity)
        invite.contact = await takeCard(this.#self, card)
        this.#needs.changed()
      },
      parted: () => {
        this.#awaited.delete(invite.contact!.identity)
        this.#needs.changed()
      }
    })
    const invite: Opened = { open }
    this.#invites.set(open.text, invite)
    return open
  }

  /**
   * Waits until an invite was used, and by whom.
   *
   * @throws SelkieError E_INVITE_UNKNOWN, E_INVITE_EXPIRED
   */
  async invited(text: string): Promise<ContactRow> {
    const invite = this.#invites.get(text)
    if (!invite) throw new SelkieError('E_INVITE_UNKNOWN')
    await invite.open.used
    return invite.contact!
  }

  /**
   * Uses a contact’s invite.
   *
   * @throws SelkieError E_PAIR_SELF, and those of {@link useInvite}
   */
  async pair(invite: string): Promise<ContactRow> {
    if (this.#invites.has(invite.trim())) throw new SelkieError('E_PAIR_SELF')
    let contact: ContactRow | undefined
    await useInvite({
      bootstrap: this.#needs.bootstrap,
      invite,
      card: await this.#needs.card(),
      clock: this.#self.clock,
      patience: PATIENCE,
      admit: async (card) => {
        contact = await takeCard(this.#self, card)
        this.#needs.changed()
      }
    })
    return contact!
  }

  async close(): Promise<void> {
    for (const { open } of this.#invites.values()) await open.close()
  }
}
