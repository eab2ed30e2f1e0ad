/** The window's start: paint the shell, and connect. Nothing is awaited before the first paint but the words of its language. */
import '@fontsource-variable/inter/index.css'
import '@fontsource-variable/jetbrains-mono/index.css'
import './app/theme/scale.css'
import './app/theme/tokens.css'
import './app/theme/base.css'
import './app/app.css'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { followTitleBarArea } from './app/frame/title-bar-area.ts'
import { startLook } from './app/look.ts'
import { followWindowSize } from './app/regrow.ts'
import { startWindow } from './app/start.ts'

const root = document.getElementById('root')
followTitleBarArea()
followWindowSize()
void startLook().then(() => root && createRoot(root).render(<App />))
startWindow()
