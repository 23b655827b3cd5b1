/** The nine kinds of quotas. */
import { defineWords } from '../ui/words.js'

export const quotaWords = defineWords({
  plugins: ['Plugins', 'Plugins'],
  pipelines: ['Pipelines', 'Pipelines'],
  apiCalls: ['API calls', 'API-Aufrufe'],
  aiCalls: ['Generations', 'Generierungen'],
  storageBytes: ['Storage', 'Speicher'],
  dashboards: ['Dashboards', 'Dashboards'],
  alertRules: ['Alert rules', 'Alarmregeln'],
  alertDestinations: ['Alert destinations', 'Alarmziele'],
  idpConfigs: ['Sign-on providers', 'Anmeldedienste'],
})
