import {expect, test} from 'vitest'

import type {Say} from '../src/messages/catalogue.js'
import {receiverName} from '../src/ui/receiver_name.js'

const say = ((key: string, {n}: {n?: number} = {}) => [key, n].filter(Boolean).join(' ')) as unknown as Say
const [shop, store] = [{webhookId: 'whk_1', label: 'Webshop'}, {webhookId: 'whk_2', label: ''}]

test.each([
  [[shop, store], 'whk_1', 'Webshop'],
  [[shop, store], 'whk_2', 'receiver_n 2'],
  [[store], 'whk_2', 'delivery'],
  [[shop, store], 'whk_3', 'delivery'], // it was registered after the import
])('of %j, %s is called %s', (receivers, webhookId, name) => {
  expect(receiverName(receivers, webhookId, say)).toBe(name)
})
