import { expect } from 'chai'
import Joi from 'joi'
import type { Description } from '../../../api/openapi/description.ts'
import { extractNamed } from '../../../api/openapi/components.ts'
import { describeOperation } from '../../../api/openapi/document.ts'
import { nullable, string } from '../../../core/shape/json-schema.ts'
import { inputsOf, field, optionalField, shapeOf } from '../../../core/shape/shape.ts'
import { requestOf } from '../../../core/shape/request-shape.ts'

interface Mug {
  handle: string
  colour: { name: string }
}

const deprecated = { deprecated: true, description: 'Old.' } as const
const colour = shapeOf<{ name: string }>()('Colour', {
  name: field(string, ({ name }) => name, { example: 'blue' }),
})
const mug = shapeOf<Mug>()('Mug', {
  handle: field(string, (one) => one.handle, { ...deprecated, example: 'left', input: Joi.string() }),
  grip: optionalField(string, (one) => one.handle, { ...deprecated, example: 'left' }),
  colour: field(colour.type, (one) => one.colour, deprecated),
  paint: field(nullable(colour.type), (one) => one.colour, deprecated),
  kept_colour: field(colour.type, (one) => one.colour),
})

const description: Description = {
  operationId: 'makeMug',
  tag: 'Service',
  summary: 'Makes a mug',
  description: 'Makes a mug.',
  deprecated: true,
  query: requestOf({
    shape: Joi.string().example('round').meta({ deprecated: true }),
    size: Joi.string().example('small'),
  }),
  body: requestOf({
    ...inputsOf(mug.fields),
    saucer: Joi.object({ colour: Joi.string().example('blue') })
      .allow(null)
      .meta({ deprecated: true }),
    spoon: Joi.string().example('small'),
  }),
  answers: { 200: { description: 'The mug.', schema: mug.type } },
  errors: [],
}

describe('a deprecated part of the API', () => {
  const { document, schemas } = extractNamed(
    describeOperation({ method: 'post', path: '/mugs', for: 'operators', style: 'general', description }),
  )
  const markedIn = (properties: object = {}) =>
    Object.entries(properties).flatMap(([name, property]: [string, { deprecated?: boolean }]) =>
      property.deprecated === true ? [name] : [],
    )

  it('is marked in the document if it is a path or a parameter of a query', () => {
    expect(document.deprecated).to.equal(true)
    const marked = document.parameters?.filter((parameter) => parameter.deprecated === true)
    expect(marked?.map(({ name }) => name)).to.deep.equal(['shape'])
  })

  it('is marked if it is a field of a request, also with the words of an answer’s field', () => {
    expect(markedIn(schemas['MakeMugRequest']?.properties)).to.deep.equal(['handle', 'saucer'])
    expect(schemas['MakeMugRequestSaucer']).not.to.have.property('deprecated')
  })

  it('is marked if it is a field of an answer, apart from the schema that other fields have too', () => {
    expect(markedIn(schemas['Mug']?.properties)).to.deep.equal(['handle', 'colour', 'paint', 'grip'])
    expect(schemas['Mug']?.properties?.['colour']).to.deep.equal({
      ...deprecated,
      $ref: '#/components/schemas/Colour',
    })
    expect(schemas['Colour']).not.to.have.property('deprecated')
  })
})
