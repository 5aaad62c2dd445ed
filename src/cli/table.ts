import { stripVTControlCharacters } from 'node:util'

/** Rows under each other, each column as wide as its widest cell; the last is left as it is. */
export function aligned(rows: readonly (readonly string[])[]): string {
  const widths: number[] = []
  for (const row of rows) {
    row.slice(0, -1).forEach((cell, i) => (widths[i] = Math.max(widths[i] ?? 0, width(cell))))
  }
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell + gap(cell, widths[i]))
        .join('')
        .trimEnd()
    )
    .join('\n')
}

/** A text on one line, so that it can’t pass for another row. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Every line of a text set in, so that it can’t pass for one of ours. */
export function quoted(text: string, margin = '  │ '): string {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => (margin + line).trimEnd())
    .join('\n')
}

/** `1 skill`, `2 skills`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** A size in bytes as a person reads it: `812 bytes`, `4.0 KiB`, `1.5 MiB`. */
export function sized(bytes: number): string {
  if (bytes < 1024) return counted(bytes, 'byte')
  const kib = bytes / 1024
  return kib < 1024 ? `${kib.toFixed(1)} KiB` : `${(kib / 1024).toFixed(1)} MiB`
}

/** An ISO time as the person’s clock shows it: `2026-03-01 14:05`. */
export function timed(iso: string): string {
  const time = new Date(iso)
  if (Number.isNaN(time.getTime())) return iso
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`
}

function two(part: number): string {
  return String(part).padStart(2, '0')
}

function gap(cell: string, column: number | undefined): string {
  return column === undefined ? '' : ' '.repeat(column - width(cell) + 2)
}

function width(cell: string): number {
  return Array.from(stripVTControlCharacters(cell)).length
}
