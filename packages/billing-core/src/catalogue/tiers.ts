/**
 * The five tiers: the baseline of every limit field, and the features that each includes. Source: the tier tables of
 * the specification.
 */
import type { TierBaseline } from './types.js'
import { type Feature, features, type Limits, limitFields, type Tier, UNLIMITED } from './vocabulary.js'

const GIB = 1024 ** 3

const proFeatures: readonly Feature[] = ['priority_support', 'ai_generation', 'bulk_operations']

export const defaultTiers: Readonly<Record<Tier, TierBaseline>> = {
  developer: {
    tier: 'developer',
    limits: {
      plugins: 25,
      pipelines: 5,
      apiCalls: 25_000,
      aiCalls: 25,
      storageBytes: 2 * GIB,
      dashboards: 20,
      alertRules: 50,
      alertDestinations: 10,
      idpConfigs: 1,
      seats: 1,
      eventRetentionDays: 30,
      doraRetentionDays: 180,
    },
    features: [],
  },
  pro: {
    tier: 'pro',
    limits: {
      plugins: 50,
      pipelines: 10,
      apiCalls: 500_000,
      aiCalls: 1_000,
      storageBytes: 25 * GIB,
      dashboards: 200,
      alertRules: 500,
      alertDestinations: 50,
      idpConfigs: 5,
      seats: 3,
      eventRetentionDays: 30,
      doraRetentionDays: 180,
    },
    features: proFeatures,
  },
  team: {
    tier: 'team',
    limits: {
      plugins: 100,
      pipelines: 200,
      apiCalls: 2_000_000,
      aiCalls: 5_000,
      storageBytes: 150 * GIB,
      dashboards: UNLIMITED,
      alertRules: UNLIMITED,
      alertDestinations: UNLIMITED,
      idpConfigs: 5,
      seats: 10,
      eventRetentionDays: 30,
      doraRetentionDays: 180,
    },
    features: [...proFeatures, 'audit_log', 'sso'],
  },
  enterprise: {
    tier: 'enterprise',
    limits: {
      plugins: 250,
      pipelines: 200,
      apiCalls: 10_000_000,
      aiCalls: 15_000,
      storageBytes: 500 * GIB,
      dashboards: UNLIMITED,
      alertRules: UNLIMITED,
      alertDestinations: UNLIMITED,
      idpConfigs: UNLIMITED,
      seats: 25,
      eventRetentionDays: 30,
      doraRetentionDays: 180,
    },
    features,
  },
  unlimited: {
    tier: 'unlimited',
    limits: Object.fromEntries(limitFields.map((field) => [field, UNLIMITED])) as Limits,
    features,
  },
}
