import type { ModelChoice, ModelShown } from '../../agent-api.js'
import type { Model, TokenCount } from '../model.js'
import { readChoice, saveChoice, showChoice } from './choice.js'
import { estimateTokens } from './count.js'
import { openModel } from './open.js'

/**
 * The model that is set on this device. It is opened at the first use and stays open, for
 * a file of one takes long to load; its key is read anew each time.
 */
export class SetModel {
  readonly #home: string
  /** The one that is open, for which choice. */
  #opened: { readonly choice: string; readonly model: Model } | undefined
  #turn: Promise<unknown> = Promise.resolve()

  constructor(home: string) {
    this.#home = home
  }

  /**
   * The model, opened.
   *
   * @throws SelkieError E_MODEL_NONE, and what {@link openModel} refuses
   */
  open(): Promise<Model> {
    return this.#inTurn(() => this.#open())
  }

  async #open(): Promise<Model> {
    const choice = await readChoice(this.#home)
    const known = JSON.stringify(choice)
    if (choice?.kind === 'gguf' && this.#opened?.choice === known) return this.#opened.model
    const model = await openModel(this.#home)
    await this.#close()
    this.#opened = { choice: known, model }
    return model
  }

  show(): Promise<ModelShown> {
    return showChoice(this.#home, process.env)
  }

  /** See {@link saveChoice}. */
  async set(choice: ModelChoice | null): Promise<ModelShown> {
    await saveChoice(this.#home, choice)
    await this.close()
    return this.show()
  }

  /** The tokens of a text: by the model, or estimated where there is none that can be opened. */
  async count(text: string): Promise<TokenCount> {
    const model = await this.open().catch(() => undefined)
    return model ? model.count(text) : estimateTokens(text)
  }

  close(): Promise<void> {
    return this.#inTurn(() => this.#close())
  }

  /** One after the other: the second that opens would else close what the first has just opened. */
  #inTurn<T>(step: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(step)
    this.#turn = mine.catch(() => {})
    return mine
  }

  async #close(): Promise<void> {
    const opened = this.#opened
    this.#opened = undefined
    await opened?.model.close()
  }
}
