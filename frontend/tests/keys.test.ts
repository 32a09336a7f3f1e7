import {describe, expect, it} from 'vitest'

import {FETCH_KEY, Keys} from '../src/api/keys.js'
import {EngineProblem} from '../src/api/problem.js'

describe('the key of a call', () => {
  it('is the one the page gave, and none once that is refused', async () => {
    const keys = new Keys({fetchKey: null, licenseKey: 'given'})

    expect([await keys.key(false), await keys.key(true)]).toEqual(['given', ''])
  })

  it('is fetched once, and again when it is refused', async () => {
    let count = 0
    const keys = new Keys({fetchKey: async () => `key-${++count}`, licenseKey: ''})

    expect([await keys.key(false), await keys.key(false), await keys.key(true)]).toEqual(['key-1', 'key-1', 'key-2'])
  })

  it('is never what another fetchKey gave', async () => {
    const page = {fetchKey: async () => 'of Ada', licenseKey: ''}
    const keys = new Keys(page)
    await keys.key(false)

    page.fetchKey = async () => 'of Bob'

    expect(await keys.key(false)).toBe('of Bob')
  })

  it('ends the session when the page has none', async () => {
    const keys = new Keys({fetchKey: () => Promise.reject(new Error('signed out')), licenseKey: ''})

    await expect(keys.key(false)).rejects.toMatchObject({code: 'session_ended', status: 401})
    await expect(keys.key(false)).rejects.toBeInstanceOf(EngineProblem)
  })

  it('restarts an element only when the page gives a function, or takes it away', () => {
    const [first, second] = [async () => 'one', async () => 'two']

    expect(FETCH_KEY.hasChanged(second, first)).toBe(false)
    expect([FETCH_KEY.hasChanged(first, null), FETCH_KEY.hasChanged(null, first)]).toEqual([true, true])
  })
})
