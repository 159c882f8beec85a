import './app.css'
import { mount } from 'svelte'
import App from './App.svelte'
import { speak } from './paraglide/messages.js'
import { getLocale } from './paraglide/runtime.js'

await speak(getLocale())
mount(App, { target: document.getElementById('app')! })
