import { expect } from 'chai'
import { parseS3Place, readS3Settings } from '../../../tools/archive/s3-settings.ts'

describe('The place of files in a bucket', () => {
  it('has a bucket, and a prefix that ends with a slash if there is one', () => {
    const places = {
      's3://casino-archive': { bucket: 'casino-archive', prefix: '' },
      's3://casino-archive/': { bucket: 'casino-archive', prefix: '' },
      's3://casino-archive/a': { bucket: 'casino-archive', prefix: 'a/' },
      's3://casino-archive/a/b=c/': { bucket: 'casino-archive', prefix: 'a/b=c/' },
    }
    for (const [text, place] of Object.entries(places)) expect(parseS3Place(text), text).to.deep.equal(place)
  })

  it('is refused if it is not of this form', () => {
    const wrong = [
      '',
      '/mnt',
      'https://a-bucket/x',
      's3://',
      's3:///a',
      's3://A-Bucket/a',
      's3://key:secret@bucket/a',
    ]
    for (const text of [
      ...wrong,
      's3://a-bucket//a',
      's3://a-bucket/a//',
      's3://a-bucket/a?b',
      's3://a-bucket/ä',
    ])
      expect(() => parseS3Place(text), text).to.throw('--store needs a bucket')
  })
})

describe('The settings of a bucket', () => {
  it('put the bucket into the path where the store has an endpoint, if AWS_S3_FORCE_PATH_STYLE does not say otherwise', () => {
    const endpoint = 'https://store.example'
    expect(readS3Settings({}))
      .to.include({ forcePathStyle: false })
      .and.not.to.have.any.keys('endpoint', 'region')
    expect(readS3Settings({ AWS_ENDPOINT_URL_S3: endpoint, AWS_REGION: '' })).to.include({
      endpoint,
      forcePathStyle: true,
      region: 'us-east-1',
    })
    expect(
      readS3Settings({ AWS_ENDPOINT_URL: endpoint, AWS_REGION: 'eu-1', AWS_S3_FORCE_PATH_STYLE: 'false' }),
    ).to.include({ endpoint, forcePathStyle: false, region: 'eu-1' })
    expect(() => readS3Settings({ AWS_S3_FORCE_PATH_STYLE: 'yes' })).to.throw('must be true or false')
  })
})
