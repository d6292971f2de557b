import { readFile } from 'node:fs/promises'
import Joi from 'joi'
import { parseBoxDefinition } from '../../api/admin/box-input.ts'
import { money } from '../../api/inputs.ts'
import { boundedList } from '../../core/platform/bounded-list.ts'
import { callerId, InputError, parseInput, text } from '../../api/parse-input.ts'
import type { ReadBody } from '../../api/parse-input.ts'
import { hashOddsTable } from '../../core/box/odds-table.ts'
import { UsageError } from '../../core/platform/main-program.ts'
import type { Subject } from './subject.ts'

interface FileInput {
  items: {
    item_id: string | number
    name?: string
    cashback?: { amount_minor: number; currency: string }
  }[]
}

const itemsMax = 1_001

const fileInput = Joi.object<FileInput>({
  items: boundedList(Joi.object({ item_id: callerId.required(), name: text(200), cashback: money }), {
    max: itemsMax,
  }).default([]),
})

/**
 * Reads a file with the body of `PUT …/boxes/{box_id}`, and with the `items` beside it, which have their costs. Throws
 * a UsageError that names every wrong field.
 */
export async function readBoxFile(path: string): Promise<Subject> {
  const body = await readJson(path)
  const { box, items } = readAsTheApi(() => ({
    box: parseBoxDefinition(body),
    items: parseInput(fileInput, body).items,
  }))
  const itemsById = new Map(
    items.map(({ item_id, name, cashback }) => [
      String(item_id),
      {
        name: name ?? String(item_id),
        cashback:
          cashback === undefined
            ? null
            : { amountMinor: BigInt(cashback.amount_minor), currency: cashback.currency },
      },
    ]),
  )
  if (itemsById.size < items.length) throw new UsageError(`${path}: items has an item twice`)
  return { title: `${box.name} (${path})`, box, oddsHash: hashOddsTable(box), items: itemsById }
}

/** The API's parsers name every wrong field; here it is a file that has it. */
function readAsTheApi<Value>(parse: () => Value): Value {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    const messages = Object.values(error.errors).flatMap((problems) => problems.map(({ message }) => message))
    throw new UsageError(messages.join('\n'))
  }
}

async function readJson(path: string): Promise<ReadBody> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new UsageError(`${path} cannot be read (${code})`)
  })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${path} is not valid JSON: ${error instanceof Error ? error.message : ''}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`${path} must be a JSON object: the body of PUT …/boxes/{box_id}`)
  }
  return { kind: 'object', value: value as Record<string, unknown> }
}
