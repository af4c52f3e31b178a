// Runs a Jenkinsfile without Jenkins: groovy jenkins.groovy JENKINSFILE. Blocks run what is in them, `sh` runs its line, and
// the steps for results look whether the files are there. A step that is not here fails as unknown.
def environment = [:]

def block = { Object... arguments -> arguments[-1]() }

def mustExist = { String names ->
  names.split(/,\s*/).each { name ->
    if (new File(name).length() == 0) throw new IllegalStateException("${name} is missing or empty")
  }
}

def sh = { String line ->
  def builder = new ProcessBuilder('sh', '-xe', '-c', line).inheritIO()
  builder.environment().putAll(environment)
  def status = builder.start().waitFor()
  if (status != 0) throw new IllegalStateException("`${line}` ended with ${status}")
}

def withCredentials = { List credentials, Closure body ->
  credentials.each { environment[it.variable] = "the value of ${it.credentialsId}".toString() }
  body()
}

def steps = [
  pipeline: block, stages: block, stage: block, steps: block, post: block, always: block, withCredentials: withCredentials, sh: sh,
  any: 'any', agent: { assert it == 'any' }, string: { Map facts -> facts },
  junit: { Map facts -> mustExist(facts.testResults) }, archiveArtifacts: { Map facts -> mustExist(facts.artifacts) }]
new GroovyShell(new Binding(steps)).evaluate(new File(args[0]))
