import type { Grants } from '../grants.js'
import { excerpt } from '../notebook/excerpt.js'
import type { Notebook } from '../notebook/notebook.js'
import type { ToolRun } from '../tool-run.js'

/** Notes of an answer, unless it is asked for more or fewer. */
const LIMIT = 10

/**
 * `check_notebook`: the notes that fit, each with a piece of its text around the words
 * that were found, and how many more there are.
 */
export function checkNotebook({ grants, notebook }: { grants: Grants; notebook: Notebook }): ToolRun {
  return async (args, signal) => {
    grants.require('notebook')
    signal.throwIfAborted()
    const { query, limit = LIMIT } = args as { query: string; limit?: number }
    const { notes, more } = await notebook.search(query, { limit })
    return {
      notes: notes.map(({ note: { id, title, time, text }, terms }) => ({
        id,
        title,
        time,
        excerpt: excerpt(text, terms)
      })),
      more
    }
  }
}
