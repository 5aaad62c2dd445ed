import { Ajv, type JSONSchemaType, type ValidateFunction } from 'ajv'

/** One compiler for every schema: no coercion, no defaults, nothing removed. */
const ajv = new Ajv({ strictTypes: false })

/** Properties that must all be there and no others. */
export function object(properties: Record<string, object>, optional: readonly string[] = []): object {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', properties, required, additionalProperties: false }
}

/** A list of at most `maxItems`. */
export function list(items: object, maxItems: number): object {
  return { type: 'array', items, maxItems }
}

/** A text of `minLength` to `maxLength` characters, which are Unicode code points. */
export function text(maxLength: number, minLength = 0): object {
  return { type: 'string', minLength, maxLength }
}

/** Lower-case hex of so many bytes. */
export function hex(bytes: number): object {
  return { type: 'string', pattern: `^[0-9a-f]{${bytes * 2}}$` }
}

/** A whole number from 0 to `maximum`. */
export function whole(maximum: number): object {
  return { type: 'integer', minimum: 0, maximum }
}

/** True or false. */
export const flag = { type: 'boolean' }

/**
 * A check that a value has the schema's shape. The type is the caller's claim of what
 * the schema says. It is compiled at its first use: most commands need few of them.
 */
export function shape<T>(schema: object): (value: unknown) => value is T {
  let check: ValidateFunction<T> | undefined
  return (value): value is T => (check ??= ajv.compile<T>(schema as JSONSchemaType<T>))(value)
}
