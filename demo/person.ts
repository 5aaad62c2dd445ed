import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SELKIE = fileURLToPath(new URL('../src/cli/main.js', import.meta.url))

/** A verb that ended otherwise than the demo needs it to. */
export class VerbFailed extends Error {}

/** A person of the demo: a home of their own, and processes of their own. */
export class Person {
  readonly name: string
  readonly #flags: string[]

  constructor(name: string, folder: string, network: string) {
    this.name = name
    this.#flags = ['--home', join(folder, name.toLowerCase()), '--bootstrap', network]
  }

  /** Runs a verb as this person would type it, and shows what it prints. */
  async types(...words: string[]): Promise<void> {
    console.log(`\n${this.name}$ selkie ${words.map(quoted).join(' ')}`)
    console.log(indented(await output([...words, ...this.#flags])))
  }

  /** Runs a verb unseen and gives its JSON. */
  async asks<T>(...words: string[]): Promise<T> {
    return JSON.parse(await output([...words, '--json', ...this.#flags])) as T
  }

  /** Starts the node and waits until it says that it is ready. */
  async up(): Promise<{ stop: () => Promise<void> }> {
    console.log(`\n${this.name}$ selkie up`)
    const { line, stop } = await background(['up', '--quiet', ...this.#flags])
    console.log(indented(line))
    return { stop }
  }
}

/** Starts a long-running verb; gives its first line and what ends it. */
export async function background(words: string[]): Promise<{ line: string; stop: () => Promise<void> }> {
  const child = spawn(process.execPath, [SELKIE, ...words], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const lines = createInterface({ input: child.stdout })
  const line = await new Promise<string>((resolve, reject) => {
    lines.once('line', resolve)
    child.once('exit', () => reject(new VerbFailed(`selkie ${words[0]} ended before it was ready`)))
  })
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await ended
  }
  return { line, stop }
}

async function output(words: string[]): Promise<string> {
  const child = spawn(process.execPath, [SELKIE, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  let notes = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (notes += text))
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0)
    throw new VerbFailed(`selkie ${words.join(' ')} ended with ${String(code)}:\n${notes}${out}`)
  return out
}

function quoted(word: string): string {
  return /^[\w@./=-]+$/.test(word) ? word : `"${word}"`
}

function indented(text: string): string {
  return text.trimEnd().replace(/^(?=.)/gm, '  ')
}
