import type { ComponentChildren } from 'preact'
import type { Schemas } from '../api.ts'
import type { FormValues } from '../ui/form.tsx'

export type Setting = Schemas['Setting']
export type SettingBody = Schemas['PutSettingRequest']

/** How a setting is shown and changed. */
export interface SettingKind {
  title: string
  /** The meaning of the setting. */
  text: string
  /** Only operators of all casinos may change it: it protects the service. */
  isOfService?: true
  facts: (setting: Setting) => readonly (readonly [string, ComponentChildren])[]
  fields: (setting: Setting, problemOf: (name: string) => string | undefined) => ComponentChildren
  /** Throws an `ApiError` with the fields that are wrong. */
  bodyOf: (values: FormValues, setting: Setting) => SettingBody
}

/** A part of a setting's value as text for a field; empty without one. */
export function partOf({ value }: Setting, name: string): string {
  const part = value[name]
  return typeof part === 'string' || typeof part === 'number' ? String(part) : ''
}
