import { expect } from 'chai'
import { checkGrants } from '../../../../console/src/grants/check-grants.ts'
import type { KnownBox, Surroundings } from '../../../../console/src/grants/check-grants.ts'
import { runs } from '../../../support/runs.ts'

describe('the dry run of a file of grants', () => {
  const open: KnownBox = { access: 'granted', enabled: true, active_until: null }
  const surroundings: Surroundings = {
    boxes: new Map([
      ['daily', { ...open, access: 'limited' }],
      ['vip', open],
      ['off', { ...open, enabled: false }],
      ['past', { ...open, active_until: '2029-12-31T00:00:00.000Z' }],
    ]),
    isPartial: false,
    nowMs: Date.UTC(2030, 0, 1),
  }
  const check = (text: string) => checkGrants(text, surroundings)
  const badOf = (text: string) => check(text).bad.map(({ line, field }) => `${line} ${field}`)

  it('returns the grants of a valid file, with the columns in any order', () => {
    const text =
      '\ufeffBox_Id; count ;player_id;expires_at;grant_id\r\nvip;2;jane;2030-06-30;may-1\r\nvip; 3 ;"jöe;x";;\r\n'
    expect(check(text)).to.deep.equal({
      grants: [
        { line: 2, player_id: 'jane', box_id: 'vip', count: 2, grant_id: 'may-1', expires_at: '2030-06-30' },
        { line: 3, player_id: 'jöe;x', box_id: 'vip', count: 3 },
      ],
      bad: [],
      odd: [],
    })
  })

  it('names each bad field of each bad line, in the order of the lines', () => {
    const lines = [
      'player_id,box_id,count,grant_id,expires_at',
      'jane,vip,1,,',
      ',vip,1,,',
      'jane,nowhere,0,,yesterday',
      'jane,vip,1.5,,2031-02-29',
      'jane,vip,1',
      '1.23457E+12,vip,1,,',
      ' jane,vip,1,,',
      `${'x'.repeat(129)},vip,1000001,,`,
      'jane,vip,1,,2029-01-01',
      '"ja\nne",vip,1,,',
      'jane,"vip"x,1,,',
      'jane,vip,one,rk_live_abc,',
    ]
    expect(badOf(lines.join('\n'))).to.deep.equal([
      '3 player_id',
      '4 box_id',
      '4 count',
      '4 expires_at',
      '5 count',
      '5 expires_at',
      '6 line',
      '7 player_id',
      '8 player_id',
      '9 player_id',
      '9 count',
      '10 expires_at',
      '11 player_id',
      '13 line',
      '14 count',
      '14 grant_id',
    ])
  })

  it('refuses columns that are missing, unknown or duplicated, because a misspelt expiry would be lost', () => {
    expect(badOf('player_id,count,count,expire_at\n1,2,3,4')).to.deep.equal([
      '1 box_id',
      '1 expire_at',
      '1 count',
    ])
    expect(badOf('jane,vip,1\njoe,vip,1')).to.have.length(6)
    expect(badOf('')).to.deep.equal(['1 file'])
    expect(badOf('player_id,box_id,count\n')).to.deep.equal(['1 file'])
  })

  it('refuses a grant id that occurs twice, and warns about a player who gets the same box twice', () => {
    const { grants, bad, odd } = check(
      'player_id,box_id,count,grant_id\na,vip,1,g1\nb,vip,1,g1\na,vip,2,g2\na,off,1,\n',
    )
    expect(bad.map(({ line, field }) => `${line} ${field}`)).to.deep.equal(['3 grant_id'])
    expect(odd.map(({ line, text }) => `${line} ${text}`)).to.deep.equal([
      '4 Line 2 has the same player and box: the player gets both.',
      '5 This box is switched off.',
    ])
    expect(grants.map(({ line }) => line)).to.deep.equal([2, 4, 5])
  })

  it('warns about boxes that cannot be opened with grants now', () => {
    const { bad, odd } = check('player_id,box_id,count\na,daily,1\na,off,1\na,past,1\na,vip,1')
    expect(bad).to.deep.equal([])
    expect(odd.map(({ line }) => line)).to.deep.equal([2, 3, 4])
  })

  it('does not call a box unknown when not all boxes could be read', () => {
    const { bad, odd } = checkGrants('player_id,box_id,count\na,other,1', {
      ...surroundings,
      isPartial: true,
    })
    expect([bad.length, odd.length]).to.deep.equal([0, 1])
  })

  it('checks many thousand lines, and finds a bad one at their end', () => {
    const count = runs(25_000)
    const lines = Array.from({ length: count }, (_, index) => `player-${index},vip,1`)
    const { grants, bad } = check(['player_id,box_id,count', ...lines, 'player-last,nowhere,1'].join('\r\n'))
    expect(grants).to.have.length(count)
    expect(bad).to.deep.equal([
      { line: count + 2, field: 'box_id', text: 'The casino has no such box: nowhere' },
    ])
  })
})
