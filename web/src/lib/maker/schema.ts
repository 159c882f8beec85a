/** The form of a map file, as the engine describes it (JSON Schema). */
import { lineName } from '../rules/ruleset'
import { translate } from '../ui/words'

export interface Schema {
  type?: string
  $ref?: string
  $defs?: Record<string, Schema>
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  propertyNames?: Schema
  additionalProperties?: Schema
  items?: Schema | false
  prefixItems?: Schema[]
  minItems?: number
  minimum?: number
  maximum?: number
  pattern?: string
  default?: unknown
  description?: string
  /** The text is the id of a place on the map. */
  place?: 'city' | 'region'
}

export type Fields = Record<string, unknown>

/** The ids that may stand in a map. */
export interface Places {
  city: [id: string, name: string][]
  region: [id: string, name: string][]
}

export class Form {
  constructor(
    readonly root: Schema,
    readonly places: Places,
  ) {}

  /** The schema itself, where one refers to it or null may stand instead. */
  resolve(schema: Schema): Schema {
    if (schema.anyOf) return this.resolve(schema.anyOf[0]!)
    if (!schema.$ref) return schema
    return this.resolve(this.root.$defs![schema.$ref.slice('#/$defs/'.length)]!)
  }

  fieldsOf = (name: string): Record<string, Schema> => this.root.$defs![name]!.properties!

  /** What may be chosen, with words for it; null if it is written. */
  choices({ pattern = '', place }: Schema): [string, string][] | null {
    if (place) return this.places[place]
    const words = /^\\A\(([a-z0-9|]+)\)\\Z$/.exec(pattern)?.[1]?.split('|')
    return words && words.length > 1 ? words.map((word) => [word, fieldName(word)]) : null
  }

  /** The first value of a field that is filled in next. */
  initial(given: Schema): unknown {
    const schema = this.resolve(given)
    const [choice] = this.choices(schema) ?? []
    if (choice) return choice[0]
    if (schema.prefixItems) return schema.prefixItems.map((each) => this.initial(each))
    if (schema.properties)
      return Object.fromEntries((schema.required ?? []).map((key) => [key, this.initial(schema.properties![key]!)]))
    if (schema.additionalProperties) return { [this.nextKey(schema, {})]: this.initial(schema.additionalProperties) }
    if (schema.items) return [this.initial(schema.items)]
    if (schema.type === 'boolean') return given.default === undefined ? true : !given.default
    if (schema.type === 'string') return ''
    return typeof given.default === 'number' ? given.default : (schema.minimum ?? 0)
  }

  /** A key that an object does not have yet: a choice, or the number after the last; '' if there is none. */
  nextKey({ propertyNames }: Schema, value: Fields): string {
    const choices = propertyNames && this.choices(propertyNames)
    if (choices) return choices.map(([id]) => id).find((id) => !(id in value)) ?? ''
    if (propertyNames) return `m${Object.keys(value).length + 1}`
    const last = Math.max(1, ...Object.keys(value).map(Number))
    return String(last + 1)
  }
}

/** The words for a rule that a map may change. */
export const ruleName = (key: string): string => lineName({ name: key, option: false })

/** The words for a field in such a rule, or for an id of the game. */
export const fieldName = (key: string): string =>
  ['ruleset_field', 'fuel', 'ruleset_kind'].map((kind) => translate(`${kind}_${key}`, '')).find(Boolean) ||
  ruleName(key)
