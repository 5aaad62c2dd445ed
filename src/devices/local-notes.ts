import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DeviceKey } from '../base/ids.js'
import { replaceFile } from '../base/replace-file.js'
import { object, shape } from '../base/schema.js'

interface Notes {
  /** When each other device was last here, seconds since 1970. */
  seen: Record<string, number>
  /** What the person has been told on this device. */
  told: string[]
}

const hasShape = shape<Notes>(
  object({
    seen: { type: 'object', additionalProperties: { type: 'integer', minimum: 0 } },
    told: { type: 'array', items: { type: 'string' } }
  })
)

/**
 * What this device alone remembers, in a file beside its store: whom it saw when, and
 * what it has told. Losing it costs nothing but that something is told again.
 */
export class LocalNotes {
  readonly #path: string
  readonly #seen: Map<DeviceKey, number>
  #told: Set<string>
  #writing: Promise<void> = Promise.resolve()

  private constructor(path: string, { seen, told }: Notes) {
    this.#path = path
    this.#seen = new Map(Object.entries(seen) as [DeviceKey, number][])
    this.#told = new Set(told)
  }

  static async open(home: string): Promise<LocalNotes> {
    const path = join(home, 'local.json')
    let notes: unknown
    try {
      notes = JSON.parse(await readFile(path, 'utf8'))
    } catch {
      // None yet, or cut by a full disk: begun anew.
    }
    return new LocalNotes(path, hasShape(notes) ? notes : { seen: {}, told: [] })
  }

  /** When a device was last connected with this one, seconds since 1970. */
  lastSeen(device: DeviceKey): number | undefined {
    return this.#seen.get(device)
  }

  isTold(id: string): boolean {
    return this.#told.has(id)
  }

  async noteSeen(device: DeviceKey, time: number): Promise<void> {
    this.#seen.set(device, time)
    await this.#save()
  }

  /** Notes what was told. What isn't among `all` any more needs no remembering. */
  async noteTold(ids: readonly string[], all: ReadonlySet<string>): Promise<void> {
    this.#told = new Set([...this.#told, ...ids].filter((id) => all.has(id)))
    await this.#save()
  }

  async #save(): Promise<void> {
    const mine = this.#writing.then(() => this.#write())
    this.#writing = mine.catch(() => {})
    return mine
  }

  async #write(): Promise<void> {
    const notes: Notes = { seen: Object.fromEntries(this.#seen), told: [...this.#told] }
    await replaceFile(this.#path, `${JSON.stringify(notes)}\n`)
  }
}
