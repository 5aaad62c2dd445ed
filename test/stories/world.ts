import type { Self } from '../../src/store/self.js'

/**
 * Where a story takes place: a person’s devices and what carries entries from one to
 * another. {@link tell} does the rest, with the verbs themselves.
 */
export interface World {
  readonly devices: number
  /** A device as the verbs work on it; another one after a restart. */
  self(device: number): Self
  /** How many entries of each device’s log are in what a device sees. */
  seen(device: number): readonly number[]
  /** Gives `to` what `from` has: of each log so many quarters of what is missing there. */
  sync(from: number, to: number, quarters: readonly number[]): Promise<void>
  /** The founder appends an entry without an op. */
  settle(): Promise<void>
  restart(device: number): Promise<void>
  /** Appends bytes to the log of a device as they are, past every check. */
  append(device: number, bytes: Uint8Array): Promise<void>
  /** The file of a bundle that is on its way to this person; its sender is a contact. */
  bundle(number: number): string
  /** Whatever of this place doesn’t hold on a device just now; empty where all does. */
  broken(device: number): Promise<string[]>
  /** In what the views of the devices differ once all have everything; empty where in nothing. */
  apart(): Promise<string[]>
  close(): Promise<void>
}

/** Quarters that leave nothing out. */
export const WHOLE: readonly number[] = [4, 4, 4, 4, 4]

/** Lets every device have everything. */
export async function meet(world: World): Promise<void> {
  for (let device = 1; device < world.devices; device++) await world.sync(device, 0, WHOLE)
  for (let device = 1; device < world.devices; device++) await world.sync(0, device, WHOLE)
}
