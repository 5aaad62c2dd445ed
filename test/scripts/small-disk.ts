import { execFileSync } from 'node:child_process'
import { createWriteStream, mkdtempSync, rmdirSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Test } from 'tap'
import type { Person } from './person.js'

/** Why a test with a disk of its own can’t be run here, or false. */
export const skip = canMount() ? false : 'nobody may make a small disk here'

/** Tried, as who is root in a container may not be allowed to. */
function canMount(): boolean {
  if (process.platform !== 'linux') return false
  const folder = mkdtempSync(join(tmpdir(), 'selkie-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'selkie-test', folder], { stdio: 'ignore' })
    execFileSync('umount', [folder])
    return true
  } catch {
    return false
  } finally {
    rmdirSync(folder)
  }
}

/** Puts someone’s folder on a disk of its own, of so many MiB. */
export async function smallDisk(t: Test, { folder }: Person, size: number): Promise<void> {
  await mkdir(folder, { recursive: true })
  mount(t, folder, size)
}

/** Mounts a disk of so many MiB on a folder. */
export function mount(t: Test, folder: string, size: number): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}m`, 'selkie-test', folder])
  t.teardown(() => execFileSync('umount', ['--lazy', folder]))
}

/** Fills the disk of someone’s home, but for so many bytes. */
export async function fill({ folder }: Person, free = 0, disk = folder): Promise<void> {
  const filler = join(disk, 'filler')
  const zeros = Readable.from(endless(Buffer.alloc(16 * 1024)))
  await pipeline(zeros, createWriteStream(filler)).catch(() => {})
  execFileSync('truncate', ['--size', `-${free}`, filler])
}

function* endless(chunk: Buffer): Generator<Buffer> {
  for (;;) yield chunk
}

/** Takes away what filled a disk. */
export async function makeRoom({ folder }: Person, disk = folder): Promise<void> {
  await rm(join(disk, 'filler'))
}
