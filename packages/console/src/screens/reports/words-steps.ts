/**
 * What the server says to do where a number is missing or no event arrives. It says so in English, from a fixed list; a
 * text that is not here, such as one with the names of environments, is shown as it comes.
 */
import type { Pair } from '../../ui/words.js'

const GERMAN: Readonly<Record<string, string>> = {
  'register a pipeline: plumbline pipelines register --pipeline <id>, or choose filters that match one':
    'Registrieren Sie eine Pipeline: plumbline pipelines register --pipeline <id>, oder wählen Sie Filter, die auf eine passen',
  'send an event: plumbline events send --pipeline <id> --environment production':
    'Senden Sie ein Ereignis: plumbline events send --pipeline <id> --environment production',
  'register or restore the pipelines that events wait for: plumbline reports parked names the command for each':
    'Registrieren Sie die Pipelines, auf die Ereignisse warten, oder stellen Sie sie wieder her: plumbline reports parked nennt den Befehl für jede',
  'send stages with `environment`, or name an existing one: plumbline reports environments':
    'Senden Sie Stufen mit `environment`, oder nennen Sie eine Umgebung, die es gibt: plumbline reports environments',
  'the window begins before the kept history: choose a later one, or keep more':
    'Der Zeitraum beginnt vor dem, was aufbewahrt ist: Wählen Sie einen späteren, oder bewahren Sie länger auf',
  'choose a wider window: plumbline reports dora --from <instant>':
    'Wählen Sie einen längeren Zeitraum: plumbline reports dora --from <Zeitpunkt>',
  'wait for the runs to end; if they ended, send their last event':
    'Warten Sie auf das Ende der Läufe; sind sie zu Ende, senden Sie ihr letztes Ereignis',
  'canceled runs are not counted: complete a run': 'Abgebrochene Läufe zählen nicht: Führen Sie einen Lauf zu Ende',
  'no deployment succeeded yet: plumbline reports errors lists the errors':
    'Noch keine Ausrollung gelang: plumbline reports errors nennt die Fehler',
  'send `commitSha` and `commitTimestamp` with deployments':
    'Senden Sie `commitSha` und `commitTimestamp` mit den Ausrollungen',
  'deploy a commit that the environment did not have before':
    'Rollen Sie einen Commit aus, den die Umgebung noch nicht hatte',
  'nothing was restored in the window: report incidents to POST /reports/incidents, or mark a deployment: plumbline reports mark':
    'Im Zeitraum wurde nichts wiederhergestellt: Melden Sie Vorfälle an POST /reports/incidents, oder vermerken Sie eine Ausrollung: plumbline reports mark',
  'resolve the open incidents: plumbline reports incidents --status open':
    'Lösen Sie die offenen Vorfälle: plumbline reports incidents --status open',
  'link the incidents to their deployments: plumbline reports link <incident> <execution>':
    'Verknüpfen Sie die Vorfälle mit ihren Ausrollungen: plumbline reports link <Vorfall> <Lauf>',
  'no event arrived for 24 hours: check the log of the forwarder, and its credential':
    'Seit 24 Stunden kam kein Ereignis an: Sehen Sie in das Protokoll des Weiterleiters und prüfen Sie seine Zugangsdaten',
  'a forwarder drops events: check its log for the answers of the server':
    'Ein Weiterleiter verwirft Ereignisse: Sehen Sie in seinem Protokoll nach den Antworten des Servers',
  'no event ever arrived: create a service principal with the scope reporting:ingest and send one to POST /reports/events':
    'Noch nie kam ein Ereignis an: Legen Sie ein Dienstkonto mit dem Scope reporting:ingest an und senden Sie eines an POST /reports/events',
  'all events wait for a pipeline that is not registered: plumbline reports parked names them':
    'Alle Ereignisse warten auf eine Pipeline, die nicht registriert ist: plumbline reports parked nennt sie',
}

/** By the text of the server. */
export const stepWords: Readonly<Record<string, Pair>> = Object.fromEntries(
  Object.entries(GERMAN).map(([en, de]) => [en, [en, de] as const]),
)
