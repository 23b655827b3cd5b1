/**
 * Builds refuse root: a proof that root started goes on as the user who builds, in cgroups that are that user's where this
 * machine lets root make some.
 */
import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'

/** Ends this process with what the program came to as the user; returns where this process is that user. */
export function goOnAsBuilder(): void {
  if (process.getuid?.() !== 0) return
  const user = process.env.PLUMBLINE_BUILD_USER ?? 'builder'
  const id = spawnSync('id', ['-u', user], { encoding: 'utf8' })
  if (id.status !== 0) {
    console.log(`builds are not tried: there is no user ${user} (\`useradd -m ${user}\`)`)
    process.exit(3)
  }
  const groups = delegated(Number(id.stdout))
  const enter = 'for g in $GROUPS; do echo $$ > "$g/cgroup.procs"; done; exec "$@"'
  const ids = ['--reuid', user, '--regid', user, '--init-groups', '--']
  const again = [process.execPath, ...process.execArgv, ...process.argv.slice(1)]
  const { PATH, PLUMBLINE_TEST_POSTGRES_URL: postgres } = process.env
  const env = {
    ...{ PATH: `${PATH}:/usr/sbin`, HOME: `/home/${user}`, GROUPS: groups.join(' ') },
    ...(postgres === undefined ? {} : { PLUMBLINE_TEST_POSTGRES_URL: postgres }),
  }
  const result = spawnSync('sh', ['-c', enter, 'sh', 'setpriv', ...ids, ...again], { env, stdio: 'inherit' })
  for (const group of groups) removed(group)
  process.exit(result.status ?? 1)
}

/** A folder of each controller of version 1, which is the user's; none where there is none, or the machine does not let us. */
function delegated(uid: number): string[] {
  const made: string[] = []
  try {
    for (const controller of ['memory', 'pids', 'cpu']) {
      const parent = join('/sys/fs/cgroup', controller)
      if (!existsSync(join(parent, 'cgroup.procs'))) continue
      const folder = join(parent, `plumbline-proof-${process.pid}`)
      mkdirSync(folder)
      made.push(folder)
      chownSync(folder, uid, uid)
      for (const file of readdirSync(folder))
        if (/^(cgroup\.procs|tasks)$/.test(file)) chownSync(join(folder, file), uid, uid)
    }
  } catch {
    // A container often may not.
  }
  return made
}

function removed(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // Something of it still ends.
  }
}
