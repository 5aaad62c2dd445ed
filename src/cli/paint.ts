import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

/** Whether stdout is a terminal that shows colours, and the person hasn’t said NO_COLOR. */
const coloured = process.stdout.isTTY && process.stdout.hasColors()

/** The text in a style, or as it is where stdout shows none. */
export function paint(style: Style, text: string): string {
  return coloured ? styleText(style, text) : text
}

/** A unified diff, its lines in the usual colours. */
export function paintDiff(diff: string): string {
  return diff.split('\n').map(paintDiffLine).join('\n')
}

function paintDiffLine(line: string): string {
  if (/^(\+\+\+|---) /.test(line)) return paint('bold', line)
  if (line.startsWith('+')) return paint('green', line)
  if (line.startsWith('-')) return paint('red', line)
  return line.startsWith('@@') ? paint('cyan', line) : line
}
