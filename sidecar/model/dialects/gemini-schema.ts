/**
 * JSON Schema as Gemini takes it: what it has no field for is said in the description, where the model reads it, so that nothing
 * is lost but recursion.
 */

type Schema = Record<string, unknown>

/** What is taken over as it is. */
const kept = [
  'title',
  'nullable',
  'default',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'minProperties',
  'maxProperties',
  'minimum',
  'maximum',
  'pattern',
] as const
/** What says nothing to a model that fills the schema in. */
const silent = new Set([
  '$schema',
  '$id',
  '$comment',
  '$defs',
  'definitions',
  '$anchor',
  'readOnly',
  'writeOnly',
  'deprecated',
  'examples',
])
const formats: Readonly<Record<string, readonly string[]>> = {
  string: ['date-time'],
  number: ['float', 'double'],
  integer: ['int32', 'int64'],
}

/** Undefined for an object without properties: that is said by leaving the parameters out. `lost` gets a few words. */
export function geminiSchema(schema: Schema, lost: (words: string) => void): Schema | undefined {
  const root = schema
  const properties = Object.keys(asSchema(schema.properties))
  if (schema.type === 'object' && properties.length === 0 && !schema.additionalProperties) return undefined

  const convert = (given: unknown, within: readonly string[]): Schema => {
    if (typeof given !== 'object' || given === null) return anything()
    const { resolved, path } = resolve(given as Schema, within)
    return resolved ? build(resolved, path) : { type: 'object' }
  }

  const resolve = (given: Schema, within: readonly string[]): { resolved: Schema | null; path: readonly string[] } => {
    let resolved = given
    let path = within
    while (typeof resolved.$ref === 'string') {
      const { $ref: ref, ...beside } = resolved
      const target = targetOf(root, ref)
      if (!target || path.includes(ref)) {
        lost(target ? `the part that holds itself (${ref})` : `what ${ref} is`)
        return { resolved: null, path }
      }
      path = [...path, ref]
      resolved = { ...target, ...beside }
    }
    const inner = path
    return { resolved: merged(resolved, each => resolve(each, inner).resolved ?? {}), path }
  }

  const build = (source: Schema, path: readonly string[]): Schema => {
    const out: Schema = {}
    const rest: Schema = {}
    for (const key of kept) if (source[key] !== undefined) out[key] = source[key]
    const types = (Array.isArray(source.type) ? source.type : [source.type]).filter(type => typeof type === 'string')
    const real = types.filter(type => type !== 'null')
    if (types.length > real.length) out.nullable = true
    if (real.length === 1) out.type = real[0]
    for (const [key, value] of Object.entries(source)) put(key, value, { out, rest, path })
    if (out.type === undefined && real.length > 1 && !out.anyOf) out.anyOf = real.map(type => ({ type }))
    if (out.type === undefined && !out.anyOf) {
      if (out.properties) out.type = 'object'
      else if (out.items) out.type = 'array'
      else Object.assign(out, anything())
    }
    if (out.type === 'array' && !out.items) out.items = anything()
    const words = [
      source.description,
      ...(Object.keys(rest).length > 0 ? [`Also, as JSON Schema: ${JSON.stringify(rest)}`] : []),
    ]
    const description = words.filter(text => typeof text === 'string' && text !== '').join(' ')
    return description === '' ? out : { ...out, description }
  }

  const put = (
    key: string,
    value: unknown,
    { out, rest, path }: { out: Schema; rest: Schema; path: readonly string[] },
  ): void => {
    if (silent.has(key) || key === 'type' || key === 'description' || (kept as readonly string[]).includes(key)) return
    if (key === 'properties')
      out.properties = Object.fromEntries(
        Object.entries(asSchema(value)).map(([name, each]) => [name, convert(each, path)]),
      )
    else if (key === 'required' && Array.isArray(value)) out.required = value
    else if (key === 'items' && !Array.isArray(value)) out.items = convert(value, path)
    else if (key === 'anyOf' || key === 'oneOf') choose(out, value as unknown[], path)
    else if (key === 'enum' || key === 'const') list(out, rest, key === 'enum' ? (value as unknown[]) : [value])
    else if (key === 'format' && formats[String(out.type)]?.includes(String(value))) out.format = value
    else if (key === 'exclusiveMinimum' && out.type === 'integer') out.minimum = Number(value) + 1
    else if (key === 'exclusiveMaximum' && out.type === 'integer') out.maximum = Number(value) - 1
    else if (key === 'additionalProperties' && typeof value === 'boolean') return
    else rest[key] = value
  }

  const choose = (out: Schema, options: readonly unknown[], path: readonly string[]): void => {
    const real = options.filter(option => asSchema(option).type !== 'null')
    if (real.length < options.length) out.nullable = true
    const [only] = real
    if (real.length === 1) Object.assign(out, convert(only, path), out.nullable ? { nullable: true } : {})
    else if (real.length > 1) out.anyOf = real.map(option => convert(option, path))
  }

  return convert(schema, [])
}

const asSchema = (value: unknown): Schema => (typeof value === 'object' && value !== null ? (value as Schema) : {})
/** Each value must have a type there. */
const anything = (): Schema => ({
  anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'object' }],
})

/** It knows lists of words only, none of them empty. */
function list(out: Schema, rest: Schema, values: readonly unknown[]): void {
  if (values.includes(null)) out.nullable = true
  const words = values.filter(value => value !== null)
  if (words.length > 0 && words.every(word => typeof word === 'string' && word !== '')) {
    out.type = 'string'
    out.enum = words
    return
  }
  rest.enum = values
  const [first] = words
  if (out.type === undefined && first !== undefined && typeof first !== 'object') out.type = typeof first
}

/** All of several is one: for objects by their properties. `take` gives what one of them stands for. */
function merged({ allOf, ...schema }: Schema, take: (each: Schema) => Schema): Schema {
  if (!Array.isArray(allOf)) return schema
  const sum: Schema = { ...schema }
  const properties = { ...asSchema(schema.properties) }
  const required = new Set<unknown>(Array.isArray(schema.required) ? schema.required : [])
  for (const each of allOf.map(asSchema).map(take)) {
    for (const [key, value] of Object.entries(each)) sum[key] ??= value
    for (const [key, value] of Object.entries(asSchema(each.properties))) properties[key] ??= value
    for (const name of Array.isArray(each.required) ? each.required : []) required.add(name)
  }
  return {
    ...sum,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.size > 0 ? { required: [...required] } : {}),
  }
}

function targetOf(root: Schema, ref: string): Schema | null {
  if (ref === '#') return root
  if (!ref.startsWith('#/')) return null
  let at: unknown = root
  for (const step of ref.slice(2).split('/')) at = asSchema(at)[step.replaceAll('~1', '/').replaceAll('~0', '~')]
  return typeof at === 'object' && at !== null ? (at as Schema) : null
}
