import { describe, expect, it } from 'vitest'
import { ACTIONS, isRemoteAllowed } from './catalogue.js'
import { prepareDetails } from './prepare-details.js'

const actions = [...ACTIONS.values()]
const specified = actions.filter(({ extension }) => !extension)

describe('the catalogue of actions', () => {
  it('holds 60 of the platform and 52 of services, 111 in all', () => {
    expect(
      specified,
      'a new action goes into PLATFORM_EXTENSIONS, or into REMOTE_EXTENSIONS if services send it',
    ).toHaveLength(111)
    expect(specified.filter(({ emitter }) => emitter !== 'service')).toHaveLength(60)
    expect(specified.filter(({ name }) => isRemoteAllowed(name))).toHaveLength(52)
    expect(ACTIONS.get('authz.denied')?.emitter).toBe('both')
  })

  it('lets services emit just those, and the extensions that are theirs', () => {
    for (const name of ['registry.image.copy', 'message.restore', 'billing.promotion.grant'])
      expect(isRemoteAllowed(name)).toBe(true)
    for (const name of ['audit.event.erase', 'user.login', 'Plugin.upload', 'plugin.upload ', '__proto__', '']) {
      expect(isRemoteAllowed(name)).toBe(false)
    }
  })

  it('derives area, entity, verb and outcome from the name', () => {
    expect(ACTIONS.get('plugin.build.failed')).toMatchObject({
      area: 'plugin',
      entity: 'build',
      verb: 'failed',
      defaultOutcome: 'failure',
    })
    expect(ACTIONS.get('user.login')).toMatchObject({
      area: 'user',
      entity: 'user',
      verb: 'login',
      defaultOutcome: 'success',
    })
    expect(ACTIONS.get('admin.org.kms-config.upsert')).toMatchObject({
      area: 'admin',
      entity: 'org.kms-config',
      verb: 'upsert',
    })
  })

  it('keeps details to the keys of the action and names the dropped ones', () => {
    expect(prepareDetails('billing.discount.apply', { discountId: 'd', token: 'v1.x' })).toEqual({
      details: { discountId: 'd' },
      dropped: ['token'],
    })
    expect(prepareDetails('org.update', { name: 'x', email: 'a@b' })).toEqual({
      details: { name: 'x' },
      dropped: ['email'],
    })
    expect(prepareDetails('user.register', { email: 'a@b' }).dropped).toEqual([])
    expect(prepareDetails('nobody.knows', { a: 1 })).toEqual({ details: null, dropped: ['a'] })
    expect(prepareDetails('org.update', null)).toEqual({ details: null, dropped: [] })
  })
  it('knows what the actions of organizations tell', () => {
    expect(prepareDetails('org.ownership.transfer', { fromUserId: 'a', toUserId: 'b', email: 'a@b' })).toEqual({
      details: { fromUserId: 'a', toUserId: 'b' },
      dropped: ['email'],
    })
    expect(prepareDetails('admin.org.tier.update', { fromTier: 'pro', toTier: 'team', force: false }).dropped).toEqual(
      [],
    )
    expect(prepareDetails('org.service-principal.create', { scopes: [], secret: 'plk_x' }).dropped).toEqual(['secret'])
    expect(prepareDetails('admin.impersonate.start', { reason: 'r', readOnly: true }).dropped).toEqual([])
    expect(ACTIONS.get('admin.keys.rotate')).toMatchObject({ extension: true, emitter: 'platform' })
  })

  it('does not fail for details that throw when they are read', () => {
    const fails = () => {
      throw new Error('no')
    }
    const getter = Object.defineProperty({}, 'name', { enumerable: true, get: fails })
    expect(prepareDetails('org.update', getter)).toEqual({ details: { name: '[UNREADABLE]' }, dropped: [] })
    const proxy = new Proxy({}, { ownKeys: fails })
    expect(prepareDetails('org.update', proxy)).toEqual({ details: null, dropped: ['[UNREADABLE]'] })
  })
})
