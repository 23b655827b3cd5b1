import { expect, it } from 'vitest'
import { testSettings } from '../../../test/support/settings.js'
import { localBuilderLacks } from './service.js'

it('builds nothing in production where no cgroup bounds a build, unless that is accepted', async () => {
  const said = async (settings: object, unbounded: string | null) =>
    (await localBuilderLacks({ settings: { ...testSettings(), ...settings } }, unbounded)).filter((each) =>
      each.includes('cgroup'),
    )
  const production = { NODE_ENV: 'production' }
  expect(await said(production, 'no cgroup')).toEqual([
    'no cgroup; or accept it with PLUGIN_BUILD_WITHOUT_CGROUPS=true',
  ])
  expect(await said({ ...production, PLUGIN_BUILD_WITHOUT_CGROUPS: true }, 'no cgroup')).toEqual([])
  expect(await said(production, null)).toEqual([])
  expect(await said({ NODE_ENV: 'development' }, 'no cgroup')).toEqual([])
})
