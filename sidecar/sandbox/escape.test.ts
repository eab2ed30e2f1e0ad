/** Every way out of the jail that somebody thought of, tried for real. */
import { execFileSync, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RootId } from '#contract/id'
import { createJailRig, type JailRig } from './jail.case.ts'

const who = ['-c', 'user.name=a', '-c', 'user.email=b@c']
const textOf = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : null)
const onLinux = describe.skipIf(process.platform !== 'linux')
let rig: JailRig
beforeAll(() => {
  rig = createJailRig()
  rig.put(join(rig.home, '.ssh/id_ed25519'), 'PRIVATE KEY')
  rig.put(join(rig.home, '.aws/credentials'), 'aws_secret')
  rig.put(join(rig.home, '.netrc'), 'netrc_secret')
  rig.put(join(rig.base, 'data/keys.json'), 'belay_secret')
  rig.put(join(rig.base, 'outside.txt'), 'outside')
  execFileSync('git', ['init', '-q', rig.work])
})
afterAll(() => rig.end())

onLinux('reading', () => {
  it.each(['.ssh/id_ed25519', '.aws/credentials', '.netrc'])('of ~/%s is refused', async name => {
    const { out, code } = await rig.run(`cat "$HOME/${name}"; cat /proc/self/root"$HOME/${name}"`)
    expect(out).not.toMatch(/PRIVATE KEY|_secret/)
    expect(code).not.toBe(0)
  })
  it('of every other place where credentials are kept gives none', async () => {
    const names = [
      ...['.gnupg/private-keys-v1.d/key', '.config/gh/hosts.yml', '.docker/config.json', '.kube/config', '.npmrc'],
      ...['.git-credentials', '.config/gcloud/credentials.db', '.azure/tokens.json', '.cargo/credentials.toml'],
      ...[
        '.mozilla/firefox/x/logins.json',
        '.config/google-chrome/Default/Cookies',
        '.config/chromium/Default/Cookies',
      ],
      ...['.local/share/keyrings/login.keyring', '.password-store/x.gpg', '.claude.json', '.bash_history'],
    ]
    for (const name of names) rig.put(join(rig.home, name), `held in ${name}`)
    rig.put(join(rig.home, 'notes.txt'), 'for anybody')
    const all = names.map(name => `"$HOME/${name}" /proc/self/root"$HOME/${name}"`).join(' ')
    const { out } = await rig.run(`cat ${all} 2>/dev/null; grep -rs 'held in' "$HOME"; cat "$HOME/notes.txt"`)
    expect(out).toBe('for anybody')
  })
  it('of Belay’s own folders shows nothing', async () => {
    const { out } = await rig.run(`ls ${rig.base}/data; cat ${rig.base}/data/keys.json`)
    expect(out).not.toMatch(/belay_secret|^keys/m)
  })
  it('of the environment gives no keys', async () => {
    const { out } = await rig.run('env; cat /proc/self/environ; cat /proc/1/environ')
    expect(out).not.toMatch(/sk-secret|npm-secret/)
    expect(out).toMatch(/^PATH=/m)
  })
  it('of processes shows the jail’s own only', async () => {
    const { out } = await rig.run(`ls /proc | grep -cE '^[0-9]+$'; ls /proc/${process.pid}/cwd`)
    expect(Number(out.split('\n')[0])).toBeLessThan(15)
  })
})

onLinux('writing', () => {
  const stays = () => expect(readFileSync(join(rig.base, 'outside.txt'), 'utf8')).toBe('outside')

  it('in the workspace and in the folder of temporary files works', async () => {
    const { out, violations } = await rig.run(
      'echo a > a.txt && echo b > /tmp/b && echo c > $TMPDIR/c && cat /tmp/c $TMPDIR/b',
    )
    expect(out).toBe('c\nb\n')
    expect(readFileSync(join(rig.work, 'a.txt'), 'utf8')).toBe('a\n')
    expect(existsSync('/tmp/b')).toBe(false)
    expect(violations).toEqual([])
  })
  it('outside is refused, and told', async () => {
    const { out, violations } = await rig.run(`echo x > ${rig.base}/outside.txt; echo x > ../outside.txt; touch /etc/x`)
    expect(out).toMatch(/Read-only file system/)
    expect(violations.map(each => each.target)).toContain(`${rig.base}/outside.txt`)
    stays()
  })
  it('through symbolic links is refused', async () => {
    symlinkSync(join(rig.base, 'outside.txt'), join(rig.work, 'link'))
    await rig.run(
      `echo x > link; ln -s ${rig.base} up; echo x > up/outside.txt; echo x > /proc/self/root${rig.base}/outside.txt`,
    )
    stays()
  })
  it('through a new hard link is refused', async () => {
    const { code } = await rig.run(`ln ${rig.base}/outside.txt hard && echo x > hard`)
    expect(code).not.toBe(0)
    stays()
  })
  it('through a hard link that was there is refused, and inside names stay free', async () => {
    linkSync(join(rig.base, 'outside.txt'), join(rig.work, 'old-link'))
    rig.put('one', '1')
    linkSync(join(rig.work, 'one'), join(rig.work, 'two'))
    const { out } = await rig.run('echo x > old-link; rm -f old-link; mv old-link away; echo 2 > two; cat one')
    expect(out).toMatch(/2\n$/)
    stays()
    rmSync(join(rig.work, 'old-link'))
  })
  it('to a read-only root is refused', async () => {
    const other = join(rig.base, 'other')
    mkdirSync(other, { recursive: true })
    const { roots } = rig.request('')
    const [first] = roots
    if (!first) throw new Error('no root')
    const { out } = await rig.run(`ls ${other} && touch ${other}/x`, {
      roots: [...roots, { ...first, absolute: other, readOnly: true }],
    })
    expect(out).toMatch(/Read-only file system/)
  })
  it('to a read-only root inside a root is refused, and a root inside a read-only one is written', async () => {
    const [docs, drafts] = [join(rig.base, 'docs'), join(rig.base, 'docs/drafts')]
    const vendor = join(rig.work, 'vendor')
    mkdirSync(drafts, { recursive: true })
    mkdirSync(vendor)
    const { roots } = rig.request('')
    const [first] = roots
    if (!first) throw new Error('no root')
    const as = (absolute: string, readOnly: boolean) => ({ ...first, absolute, readOnly })
    const { out } = await rig.run(
      `touch ${docs}/x; touch ${vendor}/x; touch ${drafts}/x && echo written; touch ${rig.work}/x && echo too`,
      { roots: [...roots, as(docs, true), as(drafts, false), as(vendor, true)] },
    )
    expect(out.match(/Read-only file system/g)).toHaveLength(2)
    expect(out).toMatch(/written\ntoo/)
    rmSync(vendor, { recursive: true })
  })
  it('as another mount is refused', async () => {
    const { out } = await rig.run(
      `mount -o remount,rw,bind / ; mount -o remount,rw ${rig.base}; mount --bind ${rig.base} $TMPDIR; umount .git/hooks; umount -l .git/config; unshare -Urm true && unshare -Urm sh -c 'mount -o remount,rw,bind /; echo x > ${rig.base}/outside.txt'; nsenter -t 1 -m -p -n sh -c 'echo x > ${rig.base}/outside.txt'; echo x > ${rig.base}/outside.txt; echo '[x]' >> .git/config; echo done`,
    )
    expect(out).toMatch(/done/)
    stays()
    expect(readFileSync(join(rig.work, '.git/config'), 'utf8')).not.toMatch(/\[x\]/)
  })
  it('through a device is refused', async () => {
    await rig.run('mknod disk b 254 0 && dd if=disk of=/dev/null count=1; mknod $TMPDIR/disk b 254 0; ls -l disk')
    expect(existsSync(join(rig.work, 'disk')) && lstatSync(join(rig.work, 'disk')).isBlockDevice()).toBe(false)
  })
})

onLinux('protected places', () => {
  it.each([
    '.git/hooks/pre-commit',
    '.git/config',
    '.bashrc',
    '.mcp.json',
    '.vscode/tasks.json',
    '.belay/settings.json',
    '.claude/settings.json',
    '.husky/pre-commit',
    '.envrc',
    '.npmrc',
    '.github/workflows/ci.yml',
    '.gitlab-ci.yml',
    'Jenkinsfile',
    'lefthook.yml',
    'pkg/.vscode/tasks.json',
    'a/b/c/d/e/.envrc',
    'AGENTS.md',
    'docs/CLAUDE.md',
  ])('%s cannot come to be', async path => {
    const before = existsSync(join(rig.work, path)) ? readFileSync(join(rig.work, path), 'utf8') : null
    const { violations } = await rig.run(`mkdir -p "$(dirname ${path})"; echo planted >> ${path}`)
    const now = existsSync(join(rig.work, path)) ? readFileSync(join(rig.work, path), 'utf8') : null
    expect(now).toBe(before)
    expect(violations.length).toBeGreaterThan(0)
  })
  it('that exist stay as they are at any depth, and their folders cannot be swapped', async () => {
    rig.put('p/q/r/s/t/.vscode/tasks.json', 'mine')
    rig.put('deep/a/b/c/sub/.git/config', '[core]\n')
    mkdirSync(join(rig.work, 'deep/a/b/c/sub/.git/hooks'), { recursive: true })
    await rig.run(
      'echo x > p/q/r/s/t/.vscode/tasks.json; rm -rf p/q/r/s/t/.vscode; mv p/q/r/s/t/.vscode v; mv .git g; mv p pp; echo x > deep/a/b/c/sub/.git/hooks/pre-commit; echo x >> deep/a/b/c/sub/.git/config; mv deep/a/b/c/sub/.git deep/g',
    )
    expect(readFileSync(join(rig.work, 'p/q/r/s/t/.vscode/tasks.json'), 'utf8')).toBe('mine')
    expect(readdirSync(join(rig.work, 'deep/a/b/c/sub/.git/hooks'))).toEqual([])
    expect(readFileSync(join(rig.work, 'deep/a/b/c/sub/.git/config'), 'utf8')).toBe('[core]\n')
    expect(statSync(join(rig.work, '.git')).isDirectory()).toBe(true)
  })
  it('of a repository that a command begins: what starts nothing stays, a planted hook and filter do not', async () => {
    const { violations } = await rig.run(
      'git init -q new && cp /bin/true new/.git/hooks/post-checkout && git init -q evil && git -C evil config core.fsmonitor /tmp/x; mkdir -p evil/.git/modules/m/hooks; echo x > evil/.git/modules/m/hooks/pre-push',
    )
    expect(existsSync(join(rig.work, 'new/.git/config'))).toBe(true)
    expect(existsSync(join(rig.work, 'new/.git/hooks/post-checkout'))).toBe(false)
    expect(existsSync(join(rig.work, 'evil/.git/config'))).toBe(false)
    expect(existsSync(join(rig.work, 'evil/.git/modules/m/hooks/pre-push'))).toBe(false)
    expect(violations.map(each => each.target)).toContain(join(rig.work, 'new/.git/hooks/post-checkout'))
  })
  it('git works: a commit is made', async () => {
    const { out } = await rig.run(
      'git add a.txt && git -c user.name=a -c user.email=b@c commit -qm x && git log --oneline | wc -l',
    )
    expect(out.trim()).toBe('1')
  })
  it('a worktree commits to its repository elsewhere, and changes nothing there that git obeys', async () => {
    const [main, tree] = [join(rig.base, 'main'), join(rig.base, 'tree')]
    const git = (...args: string[]) => execFileSync('git', ['-C', main, ...who, ...args], { encoding: 'utf8' })
    execFileSync('git', ['init', '-q', '-b', 'main', main])
    git('commit', '-q', '--allow-empty', '-m', 'first')
    git('worktree', 'add', '-q', '-b', 'side', tree)
    const roots = [{ rootId: RootId.parse('root_2'), absolute: tree, name: 'tree', readOnly: false }]
    const inTree = (command: string) => rig.run(command, { roots, cwd: tree })

    const { code, out } = await inTree(`touch a && git add a && git ${who.join(' ')} commit -qm second`)
    expect([code, out]).toEqual([0, ''])
    expect(git('log', '--format=%s', 'side')).toBe('second\nfirst\n')

    const own = join(main, '.git/worktrees/tree')
    const places = [`${main}/.git/config`, `${main}/.git/hooks/post-commit`, `${main}/a`, `${own}/gitdir`]
    for (const place of [...places, `${own}/commondir`, `${own}/config.worktree`]) {
      const before = textOf(place)
      expect((await inTree(`echo x > ${place}`)).code, place).not.toBe(0)
      expect(textOf(place)).toBe(before)
    }
  })

  it('a folder that only says it were a worktree gets nothing of the repository it names', async () => {
    const [main, liar] = [join(rig.base, 'victim'), join(rig.base, 'liar')]
    execFileSync('git', ['init', '-q', main])
    execFileSync('git', ['-C', main, ...who, 'commit', '-q', '--allow-empty', '-m', 'first'])
    execFileSync('git', ['-C', main, 'worktree', 'add', '-q', '-b', 'side', join(rig.base, 'honest')])
    const roots = [{ rootId: RootId.parse('root_3'), absolute: liar, name: 'liar', readOnly: false }]
    for (const named of [`${main}/.git/worktrees/honest`, `${main}/.git`, rig.home]) {
      rig.put(join(liar, '.git'), `gitdir: ${named}\n`)
      const { code } = await rig.run(`touch ${named}/planted ${main}/.git/objects/planted`, { roots, cwd: liar })
      expect(code, named).not.toBe(0)
    }
    expect(textOf(join(main, '.git/objects/planted'))).toBeNull()
  })

  it('a user-id bit cannot be set, by any call', async () => {
    rig.put('prog', '#!/bin/sh\n')
    const { out } = await rig.run(
      `chmod u+s prog; chmod g+s prog; install -m 4755 /bin/true inst; python3 -c 'import os; os.open("o", os.O_CREAT|os.O_WRONLY, 0o4755)'; python3 -c 'import os; os.mknod("n", 0o104755)'; setcap cap_net_raw+ep prog; chmod 755 prog && echo fine`,
    )
    expect(out).toMatch(/Operation not permitted/)
    expect(out).toMatch(/fine/)
    for (const name of ['prog', 'inst', 'o', 'n'])
      if (existsSync(join(rig.work, name))) expect(statSync(join(rig.work, name)).mode & 0o6000).toBe(0)
  })
})

onLinux('other processes', () => {
  it('cannot be ended or looked into', async () => {
    const other = spawn('sleep', ['60'])
    const gone = new Promise(resolve => other.once('exit', resolve))
    try {
      await rig.run(
        `kill -9 ${other.pid}; kill -9 -1 & python3 -c 'import ctypes; print(ctypes.CDLL(None).ptrace(16, ${other.pid}, 0, 0))'; cat /proc/${other.pid}/environ`,
      )
      expect(other.exitCode === null && other.signalCode === null).toBe(true)
    } finally {
      other.kill('SIGKILL')
      await gone
    }
  })
  it('a terminal cannot be typed into', async () => {
    const { out } = await rig.run(`python3 -c 'import fcntl,termios,sys
try:
  fcntl.ioctl(open("/dev/tty"), termios.TIOCSTI, b"x"); print("typed")
except OSError as e: print("refused", e)'`)
    expect(out).toMatch(/refused/)
  })
})

onLinux('the network', () => {
  it('has no way but the proxy: direct addresses, names, datagrams', async () => {
    const udp = createSocket('udp4')
    const heard: string[] = []
    udp.on('message', bytes => heard.push(bytes.toString()))
    await new Promise<void>(resolve => udp.bind(0, '127.0.0.1', resolve))
    const tcp = createServer(socket => socket.end('reached'))
    await new Promise<void>(resolve => tcp.listen(0, '127.0.0.1', resolve))
    const { port } = tcp.address() as { port: number }
    const { out } = await rig.run(
      `python3 - <<'P'
import socket
def attempt(name, work):
  try: print(name, work())
  except Exception as e: print(name, 'refused')
attempt('tcp', lambda: socket.create_connection(('127.0.0.1', ${port}), 1).recv(9))
attempt('ip', lambda: socket.create_connection(('1.1.1.1', 53), 1))
attempt('dns', lambda: socket.getaddrinfo('example.com', 80))
u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
attempt('udp', lambda: u.sendto(b'hello', ('127.0.0.1', ${udp.address().port})) and 'sent')
attempt('raw', lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0).send(b'x'))
P`,
    )
    expect(out).toMatch(/tcp refused\nip refused\ndns refused/)
    expect(heard).toEqual([])
    udp.close()
    tcp.close()
  })
  it('a socket of the file system cannot be opened: an instance of Belay, X11, the bus, docker', async () => {
    const path = join(rig.work, 'instance.sock')
    const server = createServer(socket => socket.end('reached'))
    await new Promise<void>(resolve => server.listen(path, resolve))
    const { out } = await rig.run(
      `python3 - <<'P'
import socket
for path in ['${path}', '/tmp/.X11-unix/X0', '/run/dbus/system_bus_socket', '/var/run/docker.sock', '\\0abstract']:
  try:
    s = socket.socket(socket.AF_UNIX); s.connect(path); print('open', path)
  except OSError as e: print('refused')
P`,
    )
    expect(out).not.toMatch(/open/)
    server.close()
  })
})
