/** What stands in the form of a provider, and what of it is kept: empty fields are left out, lines of headers become a record. */
import type { ProviderInfo } from '#contract/model'
import { DialectName } from '#contract/provider-settings'

export interface Draft {
  readonly id: string
  readonly label: string
  readonly dialect: DialectName
  readonly baseUrl: string
  readonly key: string
  readonly keyVariable: string
  /** `name, name` */
  readonly models: string
  /** `Name: value; Name: value` */
  readonly headers: string
  /** An address, `env:NAME`, or `none`. */
  readonly proxy: string
  readonly certFile: string
  readonly keyFile: string
  readonly caFile: string
}

export function draftOf(provider: ProviderInfo | null): Draft {
  const custom = provider?.custom
  return {
    id: provider?.provider ?? '',
    label: custom?.label ?? '',
    dialect: custom?.dialect ?? DialectName.catch('openai-chat').parse(provider?.dialect),
    baseUrl: custom?.baseUrl ?? '',
    key: '',
    keyVariable: custom?.keyVariable ?? '',
    models: (custom?.models ?? []).join(', '),
    headers: Object.entries(custom?.headers ?? {})
      .map(([name, value]) => `${name}: ${value}`)
      .join('; '),
    proxy: custom?.proxy === '' ? 'none' : (custom?.proxy ?? ''),
    certFile: custom?.certificate?.certFile ?? '',
    keyFile: custom?.certificate?.keyFile ?? '',
    caFile: custom?.certificate?.caFile ?? '',
    // What ships keeps its own name and dialect: they are no fields of its form.
    ...(provider?.shipped ? { label: '' } : {}),
  }
}

/** Still to be checked against its schema, which says in words what is wrong. */
export function providerOf(draft: Draft, shipped = false): Record<string, unknown> {
  const { certFile, keyFile, caFile, proxy } = draft
  const certificate = filled({ certFile, keyFile, caFile })
  const headers = Object.fromEntries(
    draft.headers
      .split(';')
      .filter(line => line.trim())
      .map(line => {
        const colon = line.indexOf(':')
        return colon < 0 ? [line.trim(), ''] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
      }),
  )
  const models = draft.models
    .split(',')
    .map(name => name.trim())
    .filter(Boolean)
  return {
    ...filled({ id: draft.id, label: draft.label, baseUrl: draft.baseUrl, keyVariable: draft.keyVariable, proxy }),
    ...(shipped ? {} : { dialect: draft.dialect }),
    ...(proxy.trim() === 'none' ? { proxy: '' } : {}),
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(models.length > 0 ? { models } : {}),
    ...(Object.keys(certificate).length > 0 ? { certificate } : {}),
  }
}

const filled = (fields: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, text]) => (text.trim() ? [[name, text.trim()]] : [])))
