import './app.css'
import { mount } from 'svelte'
import App from './App.svelte'
import { becomeApp } from './lib/app'
import { api } from './lib/net/api'
import { getLocale } from './lib/ui/locale'
import { speak } from './texts/messages'

void api.words(getLocale())
await speak(getLocale())
mount(App, { target: document.getElementById('app')! })
void becomeApp().catch(() => undefined) // a browser that refuses a service worker plays all the same
