import { expect } from 'chai'
import fc from 'fast-check'
import { parseCsv } from '../../../../console/src/grants/parse-csv.ts'

describe('CSV files of spreadsheets', () => {
  const cellsOf = (text: string) => parseCsv(text).rows.map(({ cells }) => cells)

  for (const [end, name] of [
    ['\n', 'LF'],
    ['\r\n', 'CRLF'],
    ['\r', 'CR'],
  ] as const)
    it(`are read with ${name} at the end of lines, and with or without one at the end of the file`, () => {
      const { rows } = parseCsv(`a,b${end}1,2${end}${end}3,4`)
      expect(rows).to.deep.equal([
        { line: 1, cells: ['a', 'b'] },
        { line: 2, cells: ['1', '2'] },
        { line: 4, cells: ['3', '4'] },
      ])
      expect(parseCsv(`a,b${end}1,2${end}${end}3,4${end}`).rows).to.deep.equal(rows)
    })

  it('are read without their byte order mark', () => {
    expect(cellsOf('\ufeffplayer_id,box_id')).to.deep.equal([['player_id', 'box_id']])
    expect(cellsOf('\ufeff"player_id",box_id')).to.deep.equal([['player_id', 'box_id']])
  })

  it('may be separated by semicolons or tabs, with any other text in their cells', () => {
    expect(parseCsv('a;"b,c,d,e";f\n1,5;2;3')).to.deep.include({
      delimiter: ';',
      rows: [
        { line: 1, cells: ['a', 'b,c,d,e', 'f'] },
        { line: 2, cells: ['1,5', '2', '3'] },
      ],
    })
    expect(cellsOf('a\tb\n1\t2')).to.deep.equal([
      ['a', 'b'],
      ['1', '2'],
    ])
  })

  it('have cells in quotes with delimiters, quotes and line ends, and correct line numbers', () => {
    expect(parseCsv('a,b\r\n"x, ""y""\r\nz",2\r\n3,""\r\n').rows).to.deep.equal([
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: ['x, "y"\r\nz', '2'] },
      { line: 4, cells: ['3', ''] },
    ])
  })

  it('keep a quote inside a bare cell', () => {
    expect(cellsOf('12" pan,b')).to.deep.equal([['12" pan', 'b']])
  })

  it('name the lines that cannot be read, and continue on the next one', () => {
    const { rows, broken } = parseCsv('a,b\n"1"x,2\n3,4\n5,"6\n7,8\n')
    expect(broken).to.deep.equal([
      { line: 2, problem: 'There is text after a closing quotation mark.' },
      { line: 4, problem: 'A quotation mark is not closed.' },
    ])
    expect(rows.map(({ line }) => line)).to.deep.equal([1, 3, 5])
  })

  it('may be empty or blank', () => {
    for (const text of ['', '\ufeff', '\n\r\n  \n']) expect(cellsOf(text)).to.deep.equal([])
  })

  it('are read unchanged, with any contents of their cells', () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', '"', ',', ';', '\t', '\n', '\r', ' ', 'é', '\u202e'),
    })
    const delimiter = fc.constantFrom(',', ';', '\t')
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell)), delimiter, (table, between) => {
        const rows = [['x', 'y'], ...table]
        const text = rows.map((cells) => cells.map(quoted).join(between)).join('\r\n')
        expect(parseCsv(text).broken).to.deep.equal([])
        expect(cellsOf(text)).to.deep.equal(rows)
      }),
    )
  })

  it('are read without an exception, with any contents', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r') })
    fc.assert(
      fc.property(text, (source) => {
        const { rows, broken } = parseCsv(source)
        const lines = source.split(/\r\n|\r|\n/).length
        for (const { line } of [...rows, ...broken]) expect(line).to.be.within(1, lines)
      }),
    )
  })
})
